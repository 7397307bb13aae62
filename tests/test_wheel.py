"""The wheel: built from the tree, it holds what the widgets, the plot and the recordings read beside the code."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import harness

PACKAGE = Path(harness.__file__).parent
ASIDE = {".js", ".css", ".csv", ".json", ".jinja", ".typed"}
USES = """
import harness, sys
assert not harness.__file__.startswith(sys.argv[2]), harness.__file__
from harness.workbook import recorder, usage_data
from harness.workbook.widgets import _base, viewer
from harness.workbook.widgets.wire_inspector import Inspector
print(len(usage_data.rows()), len(recorder.shipped()), len(_base.css("wire_inspector")) > 100)
"""


def test_the_wheel_holds_every_file_and_is_used_from_another_folder(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(tmp_path), str(PACKAGE.parent)]
    subprocess.run(build, check=True, cwd=tmp_path)
    [wheel] = tmp_path.glob("harness_workbook-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
        archive.extractall(tmp_path / "installed")
    wanted = {path.relative_to(PACKAGE.parent).as_posix() for path in PACKAGE.rglob("*") if path.suffix in ASIDE}
    assert wanted and wanted <= packed
    assert not [name for name in packed if name.startswith(("tests/", "notebooks/", "binder/"))]
    code = "import sys; sys.path.insert(0, sys.argv[1])\n" + USES
    command = [sys.executable, "-c", code, str(tmp_path / "installed"), str(PACKAGE.parent)]
    said = subprocess.run(command, check=True, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8").stdout
    assert said.split()[:3] == ["2459", "3", "True"]
