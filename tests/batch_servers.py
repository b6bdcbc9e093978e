"""The batch APIs of Anthropic and OpenAI with their memory, as handlers for a `ScriptedServer`."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

from servers import Drop, Head, Seen, Send, Step, error_reply, json_reply

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class Provider:
    """A provider's batch API with its memory, as both protocols speak it.

    Attributes:
        outcomes: What comes of a request, by its text: `"ok"`, a status, `"expired"`, or `"missing"`.
        faults: Replies to give first, in order, to calls whose method and path match.
        looks: How often a batch must be looked at before it has ended.
    """

    def __init__(self) -> None:
        self.outcomes: dict[str, list[str]] = {}
        self.faults: list[tuple[str, tuple[Step, ...]]] = []
        self.looks = 1
        self.rejections: list[list[dict[str, Any]]] = []
        self.batches: dict[str, dict[str, Any]] = {}
        self.files: dict[str, bytes] = {}
        self.forgets_reply = False

    def __call__(self, seen: Seen) -> tuple[Step, ...] | None:
        call = f"{seen.method} {seen.path}"
        for index, (pattern, reply) in enumerate(self.faults):
            if re.fullmatch(pattern, call):
                del self.faults[index]
                return reply
        return self.answer(call, seen)

    def answer(self, call: str, seen: Seen) -> tuple[Step, ...] | None:
        raise NotImplementedError

    def outcome_of(self, text: str) -> str:
        planned = self.outcomes.get(text, [])
        return planned.pop(0) if planned else "ok"

    def reply_to(self, text: str) -> str:
        return f"re: {text}"

    def add(self, requests: list[tuple[str, str]], **more: Any) -> tuple[Step, ...]:
        name = f"batch_{len(self.batches) + 1}"
        self.batches[name] = {"requests": requests, "looks": 0, **more}
        if self.forgets_reply:
            self.forgets_reply = False
            return (Drop(),)
        return json_reply(self.describe(name))

    def describe(self, name: str) -> dict[str, Any]:
        raise NotImplementedError

    def results(self, name: str) -> tuple[Step, ...]:
        raise NotImplementedError

    def is_over(self, name: str) -> bool:
        return bool(self.batches[name]["looks"] >= self.looks)


class AnthropicProvider(Provider):
    def answer(self, call: str, seen: Seen) -> tuple[Step, ...] | None:
        if call == "POST /v1/messages/batches":
            rows = seen.json()["requests"]
            return self.add([(row["custom_id"], row["params"]["messages"][-1]["content"]) for row in rows])
        if call == "GET /v1/messages/batches":
            return json_reply({"data": [self.describe(name) for name in self.batches]})
        if found := re.fullmatch(r"GET /v1/messages/batches/(\w+)(/results)?", call):
            name = found[1]
            if name not in self.batches:
                return error_reply(404, "no such batch")
            if found[2]:
                return self.results(name)
            self.batches[name]["looks"] += 1
            return json_reply(self.describe(name))
        return None

    def describe(self, name: str) -> dict[str, Any]:
        count = len(self.batches[name]["requests"])
        over = self.is_over(name)
        counts = {"processing": 0 if over else count, "succeeded": count if over else 0}
        return {
            "id": name,
            "processing_status": "ended" if over else "in_progress",
            "created_at": START.isoformat().replace("+00:00", "Z"),
            "request_counts": counts,
            "results_url": "http://elsewhere.test/steal-the-key",
        }

    def results(self, name: str) -> tuple[Step, ...]:
        lines = []
        for key, text in reversed(self.batches[name]["requests"]):
            outcome = self.outcome_of(text)
            if outcome == "missing":
                continue
            result: dict[str, Any] = {"type": outcome}
            if outcome == "ok":
                usage = {"input_tokens": 3, "output_tokens": 2}
                content = [{"type": "text", "text": self.reply_to(text)}]
                message = {"content": content, "stop_reason": "end_turn", "usage": usage}
                result = {"type": "succeeded", "message": message}
            elif outcome.isdigit():
                kind = {"400": "invalid_request_error", "529": "overloaded_error"}[outcome]
                result = {"type": "errored", "error": {"type": "error", "error": {"type": kind, "message": "no"}}}
            lines.append(json.dumps({"custom_id": key, "result": result}))
        return Head(200, {"content-type": "application/x-jsonl"}), Send("\n".join(lines) + "\n\n")


class OpenAIProvider(Provider):
    ending = "completed"
    """How batches end: `"expired"` and `"cancelled"` ones give what they have."""

    def answer(self, call: str, seen: Seen) -> tuple[Step, ...] | None:
        if call == "POST /v1/files":
            assert b'name="purpose"\r\n\r\nbatch' in seen.body
            name = f"file_{len(self.files) + 1}"
            self.files[name] = seen.body.split(b"\r\n\r\n")[-1].split(b"\r\n--")[0]
            return json_reply({"id": name})
        if call == "POST /v1/batches":
            order = seen.json()
            assert order["endpoint"] == "/v1/chat/completions"
            rows = [json.loads(line) for line in self.files[order["input_file_id"]].splitlines()]
            requests = [(row["custom_id"], row["body"]["messages"][-1]["content"]) for row in rows]
            return self.add(requests, metadata=order["metadata"])
        if call == "GET /v1/batches":
            return json_reply({"data": [self.describe(name) for name in self.batches]})
        if found := re.fullmatch(r"GET /v1/files/(\w+)_(good|bad)/content", call):
            return self.results(found[1], good=found[2] == "good")
        return self.look(call)

    def look(self, call: str) -> tuple[Step, ...] | None:
        found = re.fullmatch(r"GET /v1/batches/(\w+)", call)
        if found is None or found[1] not in self.batches:
            return error_reply(404, "no such batch")
        self.batches[found[1]]["looks"] += 1
        return json_reply(self.describe(found[1]))

    def describe(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        described = {"id": name, "status": "in_progress", "metadata": batch["metadata"]}
        described["request_counts"] = {"total": len(batch["requests"]), "completed": 0, "failed": 0}
        if self.is_over(name):
            if self.rejections:
                return {**described, "status": "failed", "errors": {"data": self.rejections.pop(0)}}
            return {
                **described,
                "status": self.ending,
                "output_file_id": f"{name}_good",
                "error_file_id": f"{name}_bad",
            }
        return described

    def results(self, name: str, *, good: bool = True) -> tuple[Step, ...]:
        batch = self.batches[name]
        if "outcomes" not in batch:
            batch["outcomes"] = {key: self.outcome_of(text) for key, text in batch["requests"]}
        lines = []
        for key, text in batch["requests"]:
            outcome = batch["outcomes"][key]
            if outcome == "missing" or (outcome == "ok") is not good:
                continue
            error = {"code": "batch_cancelled" if outcome == "canceled" else "batch_expired"}
            row: dict[str, Any] = {"custom_id": key, "response": None, "error": error}
            if outcome == "ok":
                usage = {"prompt_tokens": 3, "completion_tokens": 2}
                choice = {"index": 0, "message": {"content": self.reply_to(text)}, "finish_reason": "stop"}
                row = {**row, "response": {"status_code": 200, "body": {"choices": [choice], "usage": usage}}}
                row["error"] = None
            elif outcome.isdigit():
                body = {"error": {"message": "no"}}
                row = {**row, "response": {"status_code": int(outcome), "body": body}, "error": None}
            lines.append(json.dumps(row))
        return Head(200, {"content-type": "application/octet-stream"}), Send("\n".join(lines))
