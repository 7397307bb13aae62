"""Local servers, each as a double that listens on this machine: what they speak is found out, and spoken."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from harness.agent import run
from harness.errors import ProviderError
from harness.messages import Message, Transcript
from harness.providers import anthropic, openai, openai_chat
from harness.providers.local import LocalProvider, spoken

TOOL = {"name": "calc", "description": "Calculates", "input_schema": {"type": "object", "properties": {}}}
HELLO = Transcript([Message.user_text("Hello.")])

CHAT = {
    "id": "chatcmpl-1",
    "model": "small",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Hi."}}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
}
RESPONSES = {
    "id": "resp_1",
    "model": "small",
    "status": "completed",
    "output": [
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "Hi.", "annotations": []}],
        }
    ],
    "usage": {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11},
}
MESSAGES = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "small",
    "content": [{"type": "text", "text": "Hi."}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 9, "output_tokens": 2},
}
ANSWERS = {"/v1/chat/completions": CHAT, "/v1/responses": RESPONSES, "/v1/messages": MESSAGES}
WIRES = [
    ("/v1/chat/completions", "openai.chat"),
    ("/v1/responses", "openai.responses"),
    ("/v1/messages", "anthropic.messages"),
]
RULES = {
    "/v1/chat/completions": openai_chat.check_request,
    "/v1/responses": openai.check_request,
    "/v1/messages": anthropic.check_request,
}

Reply = tuple[int, Any]

# What real servers say to an empty request, and at an address that they do not have.
SERVERS: dict[str, dict[str, Reply]] = {
    "vLLM": {
        "refused": (400, {"error": {"message": "messages: Field required"}}),
        "missing": (404, {"detail": "Not Found"}),
    },
    "llama.cpp": {
        "refused": (500, {"error": {"code": 500, "message": "'messages' is required"}}),
        "missing": (404, {"error": {"code": 404, "message": "File Not Found", "type": "not_found_error"}}),
    },
    "Ollama": {
        "refused": (404, {"error": {"message": "model '' not found", "type": "not_found_error"}}),
        "missing": (404, "404 page not found"),
    },
    "LM Studio": {
        "refused": (400, {"error": "'messages' field is required"}),
        "missing": (200, {"error": "Unexpected endpoint or method. (POST /v1/nothing)"}),
    },
}


class Server:
    """A double of a local server that speaks some paths, checks what it is sent, and plays its answers."""

    def __init__(self, kind: str, *speaks: str, models: Reply | None = None):
        self.replies, self.speaks = SERVERS[kind], speaks
        self.models = models or (200, {"data": [{"id": "small"}]})
        self.answers: dict[str, list[Any]] = {path: [ANSWERS[path]] for path in speaks}
        self.bodies: list[dict[str, Any]] = []

    def reply(self, path: str, body: Any) -> Reply:
        if path == "/v1/models":
            return self.models
        if path not in self.speaks:
            return self.replies["missing"]
        if not body:
            return self.replies["refused"]
        self.bodies.append(body)
        broken = RULES[path](body)
        return (400, {"error": {"message": str(broken)}}) if broken else (200, self.answers[path].pop(0))


@pytest.fixture
def listening() -> Iterator[Callable[[Server], str]]:
    """Let a double listen on this machine; gives its base_url."""
    opened: list[ThreadingHTTPServer] = []

    def listen(server: Server) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                status, body = server.reply(self.path, json.loads(self.rfile.read(length) or "null"))
                content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "text/plain" if isinstance(body, str) else "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST

            def log_message(self, *_: object) -> None:
                pass

        opened.append(ThreadingHTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=opened[-1].serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{opened[-1].server_port}/v1"

    yield listen
    for server in opened:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("kind", SERVERS)
@pytest.mark.parametrize(("path", "wire"), WIRES)
def test_each_server_is_spoken_to_in_the_wire_that_it_has(kind, path, wire, listening):
    server = Server(kind, path)
    provider = LocalProvider(base_url=listening(server))
    response = provider.complete(HELLO)
    assert (response.text, response.input_tokens) == ("Hi.", 9)
    made_by = response.provenance
    assert (made_by.wire, made_by.provider, made_by.model) == (wire, "local", "small")
    assert server.bodies == [provider.request(HELLO)]


def test_chat_completions_comes_first_where_a_server_speaks_several(listening):
    assert spoken(listening(Server("llama.cpp", *ANSWERS))) == "openai.chat"
    assert spoken(listening(Server("llama.cpp", "/v1/messages", "/v1/responses"))) == "openai.responses"


def test_a_conversation_with_a_tool_keeps_the_servers_reasoning(listening):
    call = {"id": "c1", "type": "function", "function": {"name": "calc", "arguments": '{"expression":"17 * 23"}'}}
    thought = {"role": "assistant", "content": "", "reasoning_content": "Multiply.", "tool_calls": [call]}
    server = Server("llama.cpp", "/v1/chat/completions")
    server.answers["/v1/chat/completions"] = [
        {**CHAT, "choices": [{"finish_reason": "tool_calls", "message": thought}]},
        CHAT,
    ]
    assert (
        run(LocalProvider(base_url=listening(server)), {"calc": lambda expression: "391"}, [TOOL], "17 * 23?") == "Hi."
    )
    assert server.bodies[1]["messages"][1:] == [
        {"role": "assistant", "content": None, "reasoning_content": "Multiply.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "391"},
    ]


@pytest.mark.parametrize(
    ("models", "name"),
    [
        ((200, {"data": [{"id": "first"}, {"id": "second"}]}), "first"),
        ((404, {"detail": "Not Found"}), "default"),
        ((200, "no JSON"), "default"),
        ((200, {"data": None}), "default"),
    ],
)
def test_without_a_name_the_first_model_of_the_server_is_taken(models, name, listening):
    server = Server("vLLM", "/v1/chat/completions", models=models)
    provider = LocalProvider(base_url=listening(server))
    provider.complete(HELLO)
    assert server.bodies[0]["model"] == provider.model == name


def test_a_given_name_is_sent(listening):
    server = Server("Ollama", "/v1/chat/completions")
    LocalProvider("mine", listening(server) + "/").complete(HELLO)
    assert server.bodies[0]["model"] == "mine"


def test_a_server_without_a_model_is_an_error_that_says_so(listening):
    url = listening(Server("Ollama", "/v1/chat/completions", models=(200, {"data": []})))
    with pytest.raises(ProviderError, match="has no model"):
        LocalProvider(base_url=url).complete(HELLO)


def test_a_server_that_speaks_none_of_the_wires_is_an_error_that_says_so(listening):
    with pytest.raises(ProviderError, match="speaks none of /chat/completions, /responses, /messages"):
        LocalProvider(base_url=listening(Server("LM Studio"))).complete(HELLO)


@pytest.mark.parametrize("base_url", ["http://127.0.0.1:9/v1", "http://no.such.host.invalid/v1", "nonsense"])
def test_where_nothing_answers_one_sentence_says_so_and_what_to_do(base_url):
    with pytest.raises(ProviderError) as caught:
        LocalProvider(base_url=base_url).complete(HELLO)
    assert caught.value.status is None
    assert f"no local server answers at {base_url}: start one" in str(caught.value)
    assert str(caught.value).count(". ") == 0


def test_a_server_that_comes_up_later_is_found_then(listening):
    server = Server("vLLM")
    provider = LocalProvider(base_url=listening(server))
    with pytest.raises(ProviderError):
        provider.complete(HELLO)
    server.speaks, server.answers = ("/v1/chat/completions",), {"/v1/chat/completions": [CHAT]}
    assert provider.complete(HELLO).text == "Hi."


def test_the_default_address_is_the_one_of_the_chapter():
    assert LocalProvider().base_url == "http://localhost:8000/v1"
