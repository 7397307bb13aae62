"""One server for all processes: started once, found again, never confused with another program, stopped when idle."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx2
import local_model_double
import pytest

from harness.workbook import local_model
from harness.workbook.local_model import ModelUnavailable, cache, client, running, server

TESTS = str(Path(__file__).parent)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A cache folder of the test's own, and no server left behind in it."""
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path))
    for name in ("_command", "IDLE_SECONDS", "START_SECONDS", "require_package", "fetch"):
        monkeypatch.setattr(running, name, getattr(running, name))
    monkeypatch.setattr(cache, "discard_damaged", cache.discard_damaged)
    yield tmp_path
    running.stop()
    for process in running._started:
        process.wait(10)
    running._started.clear()


def wait_for(condition, seconds=10.0):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def state(folder: Path) -> dict:
    return json.loads((folder / "server.json").read_text(encoding="utf-8"))


def write_state(folder: Path, **facts) -> None:
    whole = {"port": 1, "pid": os.getpid(), "token": "t", "build": running._build()} | facts
    (folder / "server.json").write_text(json.dumps(whole), encoding="utf-8")


def test_the_first_need_starts_it_and_the_second_finds_it(here):
    local_model_double.use()
    assert running.find() is None
    started = running.ensure()
    assert running.ensure() == started == running.find()
    assert len(running._started) == 1


def test_two_processes_at_once_get_the_same_server(here):
    code = (
        "import local_model_double; local_model_double.use();"
        "from harness.workbook.local_model import running;"
        "server = running.ensure(); print(server.port, len(running._started))"
    )
    paths = os.pathsep.join([TESTS, str(Path(TESTS).parent)])
    processes = [
        subprocess.Popen([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": paths}, stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    answers = [process.communicate(timeout=60)[0].split() for process in processes]
    assert len({port for port, _ in answers}) == 1
    assert sorted(started for _, started in answers) == [b"0", b"0", b"1"]
    assert running.find()  # it lives on after the process that started it


def test_the_state_file_is_for_this_user_alone(here):
    local_model_double.use()
    running.ensure()
    assert state(here)["token"]
    if os.name == "posix":
        assert (here / "server.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"port": 1}', "null"])
def test_an_unreadable_state_file_is_replaced(here, text):
    (here / "server.json").write_text(text, encoding="utf-8")
    local_model_double.use()
    assert running.find() is None
    assert running.ensure() == running.find()


def test_a_state_file_of_a_server_that_is_gone_is_replaced(here):
    write_state(here)
    local_model_double.use()
    assert running.ensure().port != 1


@pytest.mark.parametrize("status", [200, 401, 404])
def test_another_program_on_its_port_is_not_taken_for_it(here, status):
    class Other(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_): ...

    with HTTPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        write_state(here, port=other.server_port)
        local_model_double.use()
        assert running.ensure().port != other.server_port
        other.shutdown()


def test_a_server_of_another_build_is_replaced_and_ends(here, monkeypatch):
    local_model_double.use()
    old = running.ensure()
    monkeypatch.setattr(running, "_build", lambda: "newer")
    assert running.find() is None
    assert running.ensure() != old
    assert wait_for(lambda: running._started[0].poll() == 0)


def test_it_stops_when_idle_and_comes_back_for_the_next_request(here):
    local_model_double.use(idle_seconds=1)
    http_client = httpx2.Client(transport=client.Transport(None, running.ensure))
    assert http_client.post(f"{client.ADDRESS}/v1/x", json={}).status_code == 200
    assert wait_for(lambda: running._started[0].poll() == 0)
    assert not (here / "server.json").exists()
    assert http_client.post(f"{client.ADDRESS}/v1/x", json={}).status_code == 200
    assert len(running._started) == 2


def test_requests_keep_it_alive():
    counts = iter(range(1000))
    began = time.monotonic()
    server.wait_until_idle(lambda: str(min(next(counts), 5)), lambda: True, 0.2)
    assert time.monotonic() - began > 1.0


def test_a_long_answer_is_not_taken_for_idleness():
    looks = iter(["llamacpp:requests_processing 1"] * 5 + ["llamacpp:requests_processing 0"] * 100)
    began = time.monotonic()
    server.wait_until_idle(lambda: next(looks), lambda: True, 0.2)
    assert time.monotonic() - began > 1.0


def test_stop_ends_it(here):
    local_model_double.use()
    running.ensure()
    assert running.stop() is True
    assert wait_for(lambda: running._started[0].poll() == 0)
    assert running.stop() is False


def test_a_server_that_cannot_start_is_one_sentence(here, tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit('out of memory')", encoding="utf-8")
    local_model_double.use(script=str(broken))
    with pytest.raises(ModelUnavailable, match="did not start") as caught:
        running.ensure()
    assert str(here) not in str(caught.value)
    assert "out of memory" in (here / "server.log").read_text(encoding="utf-8")


def test_a_damaged_model_file_is_removed_and_said(here, monkeypatch):
    path = cache.model_path()
    with path.open("wb") as file:
        file.truncate(local_model.MODEL.size)  # the right size, the wrong bytes
    monkeypatch.setattr(running, "require_package", lambda: None)
    with pytest.raises(ModelUnavailable, match="damaged"):
        running.ensure()
    assert not path.exists()
    assert not running._started


def test_without_llama_cpp_one_sentence_says_what_to_install(here, monkeypatch):
    monkeypatch.setattr(running.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelUnavailable, match=re.escape(running.INSTALL)):
        local_model.provider()


def test_status_starts_nothing_and_shows_no_path(here):
    status = local_model.status()
    assert (status.cached, status.running) == (False, False)
    assert "make model" in status.sentence or "pip install" in status.sentence
    assert str(here) not in status.sentence
    assert not running._started


def test_status_of_a_running_server(here):
    local_model_double.use()
    running.ensure()
    assert local_model.status().running
    assert "running" in local_model.status().sentence


def test_the_transport_adds_a_temperature_only_where_none_is_named(here):
    local_model_double.use()
    http_client = httpx2.Client(transport=client.Transport(0, running.ensure))

    def sent(body):
        return http_client.post(f"{client.ADDRESS}/v1/x", json=body).json()["body"]

    assert sent({"model": "m"}) == {"temperature": 0, "model": "m"}
    assert sent({"temperature": 0.7}) == {"temperature": 0.7}


def test_a_proxy_of_the_environment_does_not_stand_in_between(here, monkeypatch):
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:1")
    local_model_double.use()
    http_client = httpx2.Client(transport=client.Transport(None, running.ensure))
    assert http_client.post(f"{client.ADDRESS}/v1/x", json={}).status_code == 200


def test_an_unknown_wire_is_named(here):
    local_model_double.use()
    with pytest.raises(ValueError, match=r"openai\.chat"):
        local_model.provider("gopher")
