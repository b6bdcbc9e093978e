"""The child process that runs llama.cpp, so that a crash or lack of memory never reaches the editor.

It reads its orders as one line of JSON on standard input, answers with one line of JSON on standard output once it
listens (or says why it cannot), and ends when its input closes, so it never outlives the editor. The key comes
this way, not as an argument or variable that other users could see.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def main() -> int:
    """Serve the model named in the orders until standard input closes; return the exit status."""
    orders: dict[str, Any] = json.loads(sys.stdin.readline())
    # llama.cpp writes to the real standard output as it pleases; our one line goes out by a copy.
    reply = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        server = _start(orders)
    except Exception as error:  # noqa: BLE001 - whatever a foreign library raises, the editor is told in words
        _say(reply, {"error": str(error) or type(error).__name__})
        return 1
    _say(reply, {"address": server.listening_address})
    sys.stdin.read()
    # The server's own shutdown waits for streams in progress; nobody listens to them any more.
    os._exit(0)


def _start(orders: dict[str, Any]) -> Any:
    import xllamacpp  # noqa: PLC0415 - loads a large library; an error must reach the editor as words

    params = xllamacpp.CommonParams()
    params.model.path = orders["path"]
    params.model_alias = {orders["name"]}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [orders["key"]]
    params.n_ctx = orders["context_tokens"]
    params.n_parallel = 1
    params.n_gpu_layers = orders["gpu_layers"]
    params.cpuparams.n_threads = orders["threads"]
    params.cpuparams_batch.n_threads = orders["batch_threads"]
    params.n_batch = orders["read_at_once"]
    params.n_ubatch = orders["read_at_once"]
    params.cache_ram_mib = orders["kept_prompts_mb"]
    if orders["guessed_tokens"]:
        kinds = xllamacpp.common_speculative_type
        params.speculative.types = [kinds.COMMON_SPECULATIVE_TYPE_NGRAM_MAP_K]
        params.speculative.ngram_map_k.size_n = orders["guess_after"]
        params.speculative.ngram_map_k.size_m = orders["guessed_tokens"]
    params.warmup = False
    params.endpoint_slots = False
    params.ui = False
    return xllamacpp.Server(params)


def _say(reply: Any, words: dict[str, str]) -> None:
    reply.write(json.dumps(words) + "\n")
    reply.flush()


if __name__ == "__main__":
    sys.exit(main())
