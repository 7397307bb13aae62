"""What an answer may not do in its worker, and whether it changed what judges it.

A guard inside one process is a fence, no prison: a determined author gets over it. It stops accidents and the usual
pranks; INSTRUCTORS.md says what remains.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

# Python's own audit events; an audit hook cannot be taken off again.
REFUSED = {
    **dict.fromkeys(("os.remove", "os.rmdir", "os.rename", "os.truncate", "shutil.rmtree"), "delete or move files"),
    **dict.fromkeys(("os.chmod", "os.chown", "os.link", "os.symlink"), "change files"),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn"), "start programs"),
    **dict.fromkeys(("os.fork", "os.forkpty", "os.kill", "os.killpg", "os.startfile"), "start or end processes"),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.getaddrinfo"), "use the network"),
    **dict.fromkeys(("gc.get_objects", "gc.get_referrers", "gc.get_referents"), "look into the judge"),
    **dict.fromkeys(("sys._current_frames", "sys.settrace", "sys.setprofile"), "look into the judge"),
    **dict.fromkeys(("ctypes.dlsym", "ctypes.dlsym/handle"), "call into libraries of the system"),
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# What judging leans on; a change of any of their functions or classes voids the verdict.
WATCHED = ("builtins", "json", "json.decoder", "json.encoder", "copy", "random", "re", "contextlib", "ast", "time")
OURS = "harness"


def install(folder: Path) -> None:
    """Refuse, from now on and for good, what `REFUSED` names, and writing outside `folder`."""
    inside = str(folder.resolve()) + os.sep
    real, flags_of = os.path.realpath, WRITING

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        what = REFUSED.get(event)
        if event == "open" and isinstance(arguments[0], str | bytes):
            writes = any(letter in str(arguments[1] or "") for letter in "wax+") or (arguments[2] or 0) & flags_of
            place = os.fsdecode(arguments[0])
            if writes and place != os.devnull and not real(place).startswith(inside):
                what = "write files"
        elif event == "object.__setattr__" and arguments[1] == "__code__":
            module = getattr(arguments[0], "__module__", None) or ""
            what = "change the judge" if module in WATCHED or module.split(".")[0] == OURS else None
        if what:
            raise PermissionError(f"an answer may not {what}")

    sys.dont_write_bytecode = True
    sys.addaudithook(hook)


def watch() -> Callable[[], list[str]]:
    """A function that names what has been changed, since now, in the modules that judge."""
    before = dict(_parts())

    def changed() -> list[str]:
        after = dict(_parts())
        return sorted(name for name, value in before.items() if after.get(name) is not value)

    return changed


def _parts() -> Iterator[tuple[str, Any]]:
    for name, module in list(sys.modules.items()):
        if isinstance(module, ModuleType) and (name in WATCHED or name.split(".")[0] == OURS):
            for attribute, value in list(vars(module).items()):
                if callable(value):
                    yield f"{name}.{attribute}", value
                if isinstance(value, type) and value.__module__ == name:
                    yield from _methods(f"{name}.{attribute}", value)


def _methods(name: str, kind: type) -> Iterator[tuple[str, Any]]:
    for attribute, value in list(vars(kind).items()):
        if callable(value) or isinstance(value, property | classmethod | staticmethod):
            yield f"{name}.{attribute}", value
