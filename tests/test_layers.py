"""The layers: messages know nobody, providers know messages, agent knows both, and none knows the workbook."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "harness"
# `python -m harness` is the door to both parts, so it may know both.
EXHIBIT = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if path.relative_to(PACKAGE).parts[0] != "workbook" and path.name != "__main__.py"
)
PROVIDERS = [path for path in EXHIBIT if path.parent.name == "providers"]
ABOVE_DATA = {"__init__", "agent", "tools"}
DATA = [path for path in EXHIBIT if path not in PROVIDERS and path.stem not in ABOVE_DATA]
HEAVY = {"anthropic", "openai", "orjson", "pandas", "matplotlib", "ipywidgets", "IPython", "numpy", "httpx2", "httpx"}
POSIX_ONLY = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """The absolute name of everything that a module imports anywhere, typing included."""
    package = module_name(path).split(".")
    package = package if path.name == "__init__.py" else package[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def leads_to(path: Path, *forbidden: str) -> list[str]:
    return [name for name in imports(path) if any(f"{name}.".startswith(f"{ban}.") for ban in forbidden)]


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("path", EXHIBIT, ids=module_name)
def test_the_exhibit_never_imports_the_workbook(path):
    assert not leads_to(path, "harness.workbook")


@pytest.mark.parametrize("path", DATA, ids=module_name)
def test_the_data_model_knows_neither_providers_nor_the_loop(path):
    assert not leads_to(path, "harness.providers", "harness.tools", "harness.agent")


@pytest.mark.parametrize("path", PROVIDERS, ids=module_name)
def test_providers_do_not_know_the_loop(path):
    assert not leads_to(path, "harness.tools", "harness.agent")


def test_every_public_name_is_there():
    import harness

    assert sorted(set(harness.__all__)) == sorted(harness.__all__)
    assert {"Transcript", "Message", "Provider", "ProviderResponse", "MockProvider", "run"} <= set(harness.__all__)
    assert not [name for name in harness.__all__ if not hasattr(harness, name)]


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=module_name)
def test_no_module_needs_posix_or_a_shell(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_import = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in at_import for alias in node.names} | {getattr(n, "module", None) for n in at_import}
    assert not POSIX_ONLY & names
    code = ast.unparse(tree)
    assert not [word for word in ("os.system(", "os.fork(", "shell=True", "preexec_fn") if word in code]


def test_importing_the_package_loads_nothing_heavy():
    loaded = run("import harness, sys; print(*sys.modules)").split()
    assert "harness" in loaded
    assert not HEAVY & set(loaded)


def test_importing_every_adapter_loads_no_sdk():
    names = [module_name(path) for path in PROVIDERS]
    loaded = run(
        f"import importlib, sys\nfor name in {names}: importlib.import_module(name)\nprint(*sys.modules)"
    ).split()
    assert set(names) <= set(loaded)
    assert not (HEAVY | {"google.genai", "boto3", "cohere"}) & set(loaded)
