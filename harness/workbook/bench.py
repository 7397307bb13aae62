"""`make bench`: what a turn costs on this machine's side, as ratios; every figure is measured in this run.

Process CPU time with the collector off, the best of a few: on a shared machine only ratios mean something. The
conversation is generated, about 2 KB of JSON a message; the vendors' clients are real, their transport answers in
process. Nothing here is a test: it prints.
"""

from __future__ import annotations

import gc
import json
import math
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..messages import Transcript
from .bench_data import ANSWERS, conversation, plain_translation, turns
from .tasks import latency

MESSAGES = 1000
LOOPS = (10, 100, 1000)  # turns
MEMORY_MESSAGES = 10_000
QUOTED = (
    "microseconds a message, Anthropic / Responses: llm 6.5 / 12.5; strands 9 / 32; inspect-ai 41 / 26; "
    "litellm 121 / 63; pydantic-ai 88 / 65; openai-agents - / 133; langchain 1308 / 1304"
)


class Wire(NamedTuple):
    """One vendor's wire: its adapter's module, a provider over an in-process client, and the SDK's own two steps."""

    name: str
    module: Any
    provider: Any
    items: str
    path: str
    call: Callable[..., Any]
    parse: Callable[..., Any]


def main() -> None:
    """Print the table."""
    transcript, found = conversation(MESSAGES), wires()
    print(f"{MESSAGES} messages; ms of CPU, and x the chapter-like or the SDK's own figure in brackets\n")
    for wire in found:
        print(*turn_lines(wire, transcript), *response_lines(wire), growth_line(wire), sep="\n", end="\n\n")
    print(*other_lines(), sep="\n")


def cpu(run: Callable[[], Any], repeats: int = 3) -> float:
    """Milliseconds of CPU for one call, the best of `repeats` after one to warm up."""
    run()
    gc.collect()
    gc.disable()
    try:
        return min(_once(run) for _ in range(repeats))
    finally:
        gc.enable()


def _once(run: Callable[[], Any]) -> float:
    start = time.process_time()
    run()
    return (time.process_time() - start) * 1000


def wires() -> list[Wire]:
    """The three big wires, each over its vendor's plain client."""
    import anthropic
    import openai
    from anthropic.types import Message
    from openai.types.chat import ChatCompletion
    from openai.types.responses import Response

    from ..providers import anthropic as messages
    from ..providers import openai as responses
    from ..providers import openai_chat as chat

    claude = anthropic.Anthropic(api_key="none", http_client=_in_process(anthropic.DefaultHttpxClient), max_retries=0)
    gpt = openai.OpenAI(api_key="none", http_client=_in_process(openai.DefaultHttpxClient), max_retries=0)
    asks_claude, asks_gpt = messages.AnthropicProvider(client=claude), responses.OpenAIProvider(client=gpt)
    chats = chat.OpenAIChatCompletionsProvider(client=gpt)
    return [
        Wire(
            "anthropic.messages",
            messages,
            asks_claude,
            "messages",
            "/v1/messages",
            claude.messages.create,
            Message.construct,
        ),
        Wire(
            "openai.responses", responses, asks_gpt, "input", "/v1/responses", gpt.responses.create, Response.construct
        ),
        Wire(
            "openai.chat",
            chat,
            chats,
            "messages",
            "/v1/chat/completions",
            gpt.chat.completions.create,
            ChatCompletion.construct,
        ),
    ]


def _in_process(client: Any) -> Any:
    import httpx2

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=ANSWERS[request.url.path])

    return client(transport=httpx2.MockTransport(answer))


def turn_lines(wire: Wire, transcript: Transcript) -> Iterator[str]:
    """What one turn costs: the first request of a long conversation, the next one, and the ways without us."""
    body = wire.provider.request(transcript)
    # The SDK checks every item against every type it knows, unless the items come as `extra_body`.
    typed = {**body, wire.items: []}
    extra = {wire.items: body[wire.items]}
    plain = cpu(lambda: plain_translation(wire.name, transcript))
    ours = cpu(lambda: wire.module.to_request(transcript))
    sdk = cpu(lambda: wire.call(**typed, extra_body=extra))
    compact = cpu(lambda: json.dumps(body, ensure_ascii=False, separators=(",", ":")))
    first = cpu(lambda: _fresh(wire.provider).complete(transcript))
    following = next_turn(wire)
    yield wire.name
    yield _line("translation alone, nothing remembered", ours, plain, "chapter-like")
    yield _line("complete(), a conversation seen first", first, plain + sdk, "chapter-like and SDK's extra_body")
    yield _line("complete(), the next turn", following, plain + sdk, "chapter-like and SDK's extra_body")
    yield _line("  the same", following, sdk, "SDK's extra_body alone")
    yield _line("  the same", following, compact, "compact json.dumps")


def next_turn(wire: Wire) -> float:
    """One more turn of a conversation of so many messages, the best of a few turns that follow each other."""
    *before, _, _, _ = steps = turns(MESSAGES // 2 + 3)
    transcript, later = Transcript([message for step in before for message in step]), iter(steps[-3:])
    wire.provider.complete(transcript)

    def go_on() -> None:
        transcript.extend(next(later))
        wire.provider.complete(transcript)

    return min(_once(go_on) for _ in range(3))


def _fresh(provider: Any) -> Any:
    """A provider that remembers nothing, over the same client."""
    return type(provider)(provider.model, provider._client)


def response_lines(wire: Wire) -> Iterator[str]:
    """Reading an answer, against the SDK's own model of it."""
    body = ANSWERS[wire.path]
    ours = cpu(lambda: [wire.module.from_response(body) for _ in range(100)]) / 100
    sdk = cpu(lambda: [wire.parse(**json.loads(json.dumps(body))) for _ in range(100)]) / 100
    copies = cpu(lambda: [json.loads(json.dumps(body)) for _ in range(100)]) / 100
    yield _line("from_response", ours, sdk - copies, "SDK's model")


def growth_line(wire: Wire) -> str:
    """How the cost of a whole conversation grows with its turns: 1 is as the turns, 2 as their square."""
    spent = []
    for count in LOOPS:
        whole = turns(count)

        def run(steps: Any = whole) -> None:
            provider, transcript = _fresh(wire.provider), Transcript()
            for step in steps:
                transcript.extend(step)
                provider.complete(transcript)

        spent.append(_once(run))
    slope = statistics.linear_regression([math.log(n) for n in LOOPS], [math.log(ms) for ms in spent]).slope
    each = ", ".join(f"{n}: {ms:.0f}" for n, ms in zip(LOOPS, spent, strict=True))
    return f"  {'growing conversation, turns: ms in all':42}{each}; log-log slope {slope:.2f}"


def other_lines() -> Iterator[str]:
    """What is no matter of one wire."""
    code = "import time; start = time.process_time(); import harness; print(time.process_time() - start)"
    runs = [subprocess.check_output([sys.executable, "-c", code], text=True, encoding="utf-8") for _ in range(3)]
    yield f"  {'import harness':42}{min(map(float, runs)):8.3f} s"
    text = conversation(MEMORY_MESSAGES).to_json()
    ours, raw = _memory(lambda: Transcript.from_json(text)), _memory(lambda: json.loads(text))
    yield f"  {f'memory of {MEMORY_MESSAGES} messages':42}{ours / 1e6:8.1f} MB ({ours / raw:.2f} x json.loads)"
    latencies = latency.noted()
    for name, middle in latencies.items():
        yield f"  {name:50}{middle:8.1f} ms, the median"
    if not latencies:
        yield "  widget latencies: none recorded here (make browser-test)"
    yield f"\nTranslation by other libraries, quoted, not measured here: {QUOTED}"


def _memory(make: Callable[[], Any]) -> int:
    """Bytes that are still held when `make` has returned."""
    gc.collect()
    tracemalloc.start()
    kept = make()
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return held


def _line(what: str, ours: float, theirs: float, of: str) -> str:
    return f"  {what:42}{ours:8.3f} ms ({ours / theirs:.2f} x {of}, {theirs:.3f})"


if __name__ == "__main__":
    main()
