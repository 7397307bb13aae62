"""What a Binder session needs: JupyterLab, three kernels that ran their notebooks, and the one model server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from jupyter_client.blocking.client import BlockingKernelClient

from .lab_server import LabServer, lab_server
from .notebook_files import code_cells, paths, read

LIMIT = 1.8e9  # bytes; mybinder ends a session at 2 GB
KERNELS = 3
CELL_SECONDS = 120
ASK_THE_MODEL = """
import harness
from harness.workbook import local_model
print(harness.run(local_model.provider("openai.chat"), {}, [], "Say hello."))
"""


@dataclass
class Peak:
    """The highest sum seen, in bytes, and what it was made of."""

    total: int = 0
    parts: dict[str, int] = field(default_factory=dict)

    def see(self, parts: dict[str, int]) -> None:
        """Keep `parts` if they are the most so far."""
        if (total := sum(parts.values())) > self.total:
            self.total, self.parts = total, parts


def measure(folder: Path, python: Path) -> Peak:
    """Run the three heaviest notebooks at the same time, ask the model once, and watch; works in the empty `folder`."""
    with lab_server(folder, python) as server, watched(server) as peak:
        clients = [started(server, folder) for _ in range(KERNELS)]
        for client, notebook in zip(clients, heaviest(), strict=True):
            for cell in code_cells(read(notebook)):
                execute(client, cell.source, may_fail="raises-exception" in cell.metadata.get("tags", ()))
        execute(clients[0], ASK_THE_MODEL)
        server.stop_kernels()
    return peak


def heaviest() -> list[Path]:
    """The notebooks that import most: those with the vendors' SDKs and the largest widgets."""
    return [path for path in paths() if path.name.startswith(("3.4", "3.6", "3.8"))]


def started(server: LabServer, folder: Path) -> BlockingKernelClient:
    """A kernel that the server has started, ready to be asked."""
    kernel = server.ask("POST", "api/kernels", {"name": "python3", "path": "notebooks"})
    file = folder / "jupyter_runtime_dir" / f"kernel-{kernel['id']}.json"
    client = BlockingKernelClient(connection_file=str(file))
    client.load_connection_file()
    client.start_channels(hb=False)
    client.wait_for_ready(timeout=60)
    return client


def execute(client: BlockingKernelClient, code: str, may_fail: bool = False) -> None:
    """Run one cell; an error that is not meant ends the measurement."""
    reply = client.execute_interactive(code, timeout=CELL_SECONDS, output_hook=lambda message: None)
    content = reply["content"]
    if content["status"] == "error" and not may_fail:
        raise RuntimeError(f"{content['ename']}: {content['evalue']}")


@contextmanager
def watched(server: LabServer) -> Iterator[Peak]:
    """Look at the session's memory twice a second until the block ends."""
    peak, done = Peak(), threading.Event()

    def watch() -> None:
        while not done.wait(0.5):
            peak.see(memory(server))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()


def memory(server: LabServer) -> dict[str, int]:
    """Bytes of each part of the session: shared pages count once where the system tells (Linux), else for each."""
    lab = psutil.Process(server.process.pid)
    models = [process for process in psutil.process_iter(["cmdline"]) if is_model_server(process)]
    # The kernel that asked first has started the model's server, so it is among the descendants.
    kernels = [child for child in lab.children(recursive=True) if child not in models]
    return {
        "JupyterLab": size(lab),
        "kernels": sum(map(size, kernels)),
        "model server": sum(map(size, models)),
    }


def is_model_server(process: psutil.Process) -> bool:
    """Whether this is the embedded model's server: one for all kernels."""
    return "harness.workbook.local_model.server" in (process.info["cmdline"] or ())


def size(process: psutil.Process) -> int:
    """Bytes of one process; 0 once it has ended."""
    try:
        info = process.memory_full_info()
    except psutil.Error:
        return 0
    return int(getattr(info, "pss", 0) or info.rss)
