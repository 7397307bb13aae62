"""Which model the workbook embeds, and how its bytes are known: by their number and their hash alone."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from ...errors import HarnessError

TEMPLATE = Path(__file__).with_name("chat_template.jinja")  # how conversations are put to this model


class ModelUnavailable(HarnessError):
    """The embedded model cannot be used here: one sentence says why, and what to do."""


@dataclass(frozen=True)
class Model:
    """One model file: `name` as clients ask for it, `size` in bytes, `sha256` of the whole file."""

    name: str
    file_name: str
    size: int
    sha256: str


# Qwen's own 4-bit file, Apache-2.0.
MODEL = Model(
    name="qwen2.5-coder-0.5b-instruct",
    file_name="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    size=491_400_064,
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
)


def is_genuine(path: Path, model: Model = MODEL) -> bool:
    """Whether the file has exactly the model's bytes. A wrong size is seen at once, a wrong byte after a second."""
    if path.stat().st_size != model.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == model.sha256
