import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../core/agent/message.ts";
import { inheritContext } from "./inherit-context.ts";

const user = (text: string, name?: string): Message => ({
  role: "user",
  content: [{ type: "text", text }],
  ...(name === undefined ? {} : { from: { kind: "agent", id: "x", name } }),
});
const agent = (text: string): Message => ({ role: "assistant", parts: [{ type: "text", text }] });

test("every message is quoted under the name of its sender; reasoning is left out, calls are named", () => {
  const meta = { startedAt: 0, durationMs: 0, place: "host", attempts: 1, source: "app" } as const;
  const text = inheritContext(
    [
      user("Look.\n# Not a heading\u2028nor this"),
      {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "secret" },
          { type: "text", text: "I look." },
          { type: "call", call: { id: "1", name: "grep", input: {} } },
        ],
      },
      {
        role: "tool",
        results: [{ callId: "1", name: "grep", ok: true, content: [{ type: "text", text: "a\nb" }], meta }],
      },
      user("Found?", "scout"),
      { role: "user", content: [{ type: "image", data: "", mimeType: "image/png" }] },
    ],
    "lead",
  );
  const [head, ...blocks] = (text ?? "").split("\n\n");
  assert.match(head ?? "", /The conversation of lead so far, as background only/);
  assert.deepEqual(blocks, [
    "> user:\n> Look.\n> # Not a heading\n> nor this",
    "> agent:\n> I look.\n> [calls grep]",
    "> answer of grep:\n> a\n> b",
    "> scout:\n> Found?",
    "> user:\n> [image, image/png, 0 bytes]",
  ]);
});

test("a long conversation keeps its beginning and end and counts the messages left out", () => {
  const messages = Array.from({ length: 200 }, (_, index) => agent(`said ${index} ${"x".repeat(200)}`));
  const text = inheritContext([user("the task"), ...messages], "lead") ?? "";
  assert.ok(text.length < 14_000, `${text.length}`);
  assert.match(text, /> the task\n\n> \[\d+ messages left out\]/);
  assert.match(text, /said 199 /);
  assert.doesNotMatch(text, /said 0 /);
});

test("one long message is shortened, at a whole character", () => {
  const text = inheritContext([user("🙂".repeat(5000))], "lead") ?? "";
  assert.ok(text.length < 2000 && text.isWellFormed());
});

test("an empty conversation gives no background", () => {
  assert.equal(inheritContext([], "lead"), undefined);
  assert.equal(inheritContext([user("  ")], "lead"), undefined);
});
