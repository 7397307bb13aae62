"""Transcripts in the normal form that every wire can say: what an adapter writes must read back as it was."""

from __future__ import annotations

from hypothesis import strategies as st

from harness.messages import Message, ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript

texts = st.text(st.characters(codec="utf-8"), max_size=20).map(lambda text: f"say {text}.")
names = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
leaves = (
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
arguments = st.dictionaries(texts, values, max_size=3)


@st.composite
def transcripts(draw: st.DrawFn, reasoning: st.SearchStrategy[ReasoningBlock] | None = None) -> Transcript:
    """Turns in alternation: a question, or the results of all calls; then reasoning, a text, and calls with new ids."""
    transcript = Transcript(system=draw(st.none() | texts))
    calls: list[ToolCall] = []
    for turn in range(draw(st.integers(1, 4))):
        answers = [ToolResult(call.id, draw(texts), draw(st.booleans())) for call in calls]
        transcript.append(Message("user", (*answers,) or (TextBlock(draw(texts)),)))
        calls = [ToolCall(f"call_{turn}_{n}", draw(names), draw(arguments)) for n in range(draw(st.integers(0, 2)))]
        thought = [draw(reasoning)] if reasoning is not None and draw(st.booleans()) else []
        text = [TextBlock(draw(texts))] if not calls or draw(st.booleans()) else []
        transcript.append(Message("assistant", (*thought, *text, *calls)))
    return transcript
