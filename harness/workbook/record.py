"""`python -m harness.workbook.record`: record the calculator question from a real model to a small file.

`--provider local` (the default) records the embedded model on each of its three wires; another name of the registry
records that vendor, with your key and at your cost.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..agent import run
from ..providers import PROVIDERS, make_provider
from ..providers._send import require_key
from . import samples
from .local_model import MODEL, ensure
from .local_model.client import anthropic_client, openai_client
from .recorder import CREATE, Recorder

LOCAL = {"anthropic.messages": "anthropic", "openai.responses": "openai", "openai.chat": "openai_chat"}
SHIPPED = Path(__file__).parent / "data" / "recordings"


def record(client: Any, registered: str, wire: str, model: str | None, source: str, path: Path) -> str:
    """Run the calculator question on an SDK's client through a recorder, write the file, give the answer."""
    recorder = Recorder(client, wire)
    options = {"model": model} if model else {}
    provider: Any = make_provider(registered, client=recorder.client(), **options)
    answer = run(provider, samples.TOOLS, samples.schemas(), samples.QUESTION, samples.SYSTEM)
    path.parent.mkdir(parents=True, exist_ok=True)
    recorder.recording(registered, provider.model, source).save(path)
    return answer


def client_of(wire: str, *, local: bool) -> Any:
    """The vendor's own SDK client for a wire: with your key, or with the embedded model at its other end."""
    if wire == "anthropic.messages":
        from anthropic import Anthropic

        return anthropic_client(0, ensure) if local else Anthropic()
    from openai import OpenAI

    return openai_client(0, ensure) if local else OpenAI()


def main() -> None:
    """Record, and print where to and what was answered."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--provider", default="local", choices=["local", *sorted(PROVIDERS)])
    parser.add_argument("--to", type=Path, default=SHIPPED, help="the folder for the recordings")
    options = parser.parse_args()
    wires = LOCAL if options.provider == "local" else {PROVIDERS[options.provider].wire: options.provider}
    for wire, registered in wires.items():
        if wire not in CREATE:
            parser.error(f"the wire {wire} cannot be recorded; those that can: {', '.join(CREATE)}")
        local = options.provider == "local"
        model = MODEL.name if local else None
        source = f"the embedded model, {MODEL.name}" if local else f"{registered}, live"
        name = f"{options.provider}-{wire.replace('.', '-')}.json"
        if not local and (variable := PROVIDERS[registered].key_variable):
            require_key(registered, variable)
        answer = record(client_of(wire, local=local), registered, wire, model, source, options.to / name)
        print(f"{name}: {answer}")


if __name__ == "__main__":
    main()
