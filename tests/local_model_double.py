"""A double of llama.cpp for the tests of its process: it answers as the server does, without a model."""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from harness.workbook.local_model import cache, running, server


class Double:
    """Has what the server process uses of `xllamacpp.Server`: an address, and metrics that count requests."""

    def __init__(self, alias: str) -> None:
        self.asked = 0
        double = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._send({"data": [{"id": alias}]})

            def do_POST(self) -> None:
                double.asked += 1
                self._send({"path": self.path, "body": json.loads(self.rfile.read(self._length()))})

            def _length(self) -> int:
                return int(self.headers["Content-Length"])

            def _send(self, body: object) -> None:
                data = json.dumps(body).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None: ...

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self.listening_address = f"http://127.0.0.1:{self._http.server_port}"

    def handle_metrics(self) -> str:
        return f"llamacpp:requests_processing 0\nasked {self.asked}"


def use(idle_seconds: float = 60, script: str = __file__) -> None:
    """From now on, in this process, a server that is started is `script`, and the model counts as fetched."""
    real = running._command
    running.IDLE_SECONDS = idle_seconds
    running._command = lambda: [sys.executable, script, *real()[3:]]
    running.require_package = lambda: None
    running.fetch = lambda: Path()
    cache.discard_damaged = lambda: False


if __name__ == "__main__":
    server.LOOK_SECONDS = server.LAST_SECONDS = 0.1
    server.serve = lambda model, alias, token, template: Double(alias)
    server.main()
