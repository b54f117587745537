import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorCode } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import { createEngine } from "../engine.ts";
import { toEnvelope } from "./envelope.ts";

const REST = {
  callId: "1",
  name: "bash",
  content: [{ type: "text", text: "the text" }],
  meta: { startedAt: 0, durationMs: 1, place: "host", attempts: 1, source: "app" },
} as const;

function succeeded(data?: Json): ToolResult {
  return { ...REST, ok: true, ...(data !== undefined && { data }) };
}

function failed(code: ErrorCode, details?: JsonObject): ToolResult {
  return {
    ...REST,
    ok: false,
    error: { code, message: "it broke", ...(details !== undefined && { details }) },
  };
}

test("a success carries its data, null and false included, if the text has nothing more", () => {
  for (const data of [{ sum: 5 }, null, false, [1]]) {
    const result = { ...succeeded(data), content: [{ type: "text" as const, text: JSON.stringify(data) }] };
    assert.deepEqual(toEnvelope(result), { tool_success: true, result: data });
  }
  const printed = { stdout: "x", exit_code: 0 };
  assert.deepEqual(toEnvelope(succeeded(printed)), { tool_success: true, result: printed });
});

test("text that the data does not contain is added", () => {
  const withText = (data: Json): unknown => toEnvelope(succeeded(data))["result"];
  assert.deepEqual(withText({ lines: 3 }), { lines: 3, text: "the text" });
  assert.deepEqual(withText([1]), { data: [1], text: "the text" });
});

test("a success without data carries its text", () => {
  assert.deepEqual(toEnvelope(succeeded()), { tool_success: true, result: "the text" });
});

const FAILURES: Readonly<Record<string, readonly [ToolResult, JsonObject]>> = {
  "a deadline has no exit code but what was printed": [
    failed("TOOL_TIMEOUT", { stdout: "partial output..." }),
    { error_code: "TOOL_TIMEOUT", exit_code: null, stdout: "partial output...", stderr: "" },
  ],
  "a crash has its exit code and both outputs": [
    failed("TOOL_CRASHED", { exit_code: 3, stdout: "o", stderr: "e" }),
    { error_code: "TOOL_CRASHED", exit_code: 3, stdout: "o", stderr: "e" },
  ],
  "the tool's own code wins": [
    failed("TOOL_FAILED", { toolCode: "FILE_NOT_FOUND", exit_code: 1 }),
    { error_code: "FILE_NOT_FOUND", exit_code: 1, stdout: "", stderr: "" },
  ],
  "details of other kinds are not trusted": [
    failed("DENIED", { toolCode: 5, exit_code: "1", stdout: null, stderr: ["x"] }),
    { error_code: "DENIED", exit_code: null, stdout: "", stderr: "" },
  ],
  "what an in-process tool emitted is its output": [
    failed("TOOL_TIMEOUT", { emitted: "half" }),
    { error_code: "TOOL_TIMEOUT", exit_code: null, stdout: "half", stderr: "" },
  ],
  "no details at all are empty ones": [
    failed("TOOL_NOT_FOUND"),
    { error_code: "TOOL_NOT_FOUND", exit_code: null, stdout: "", stderr: "" },
  ],
};

for (const [name, [result, expected]] of Object.entries(FAILURES))
  test(`a failure: ${name}`, () => {
    assert.deepEqual(toEnvelope(result), {
      tool_success: false,
      error: "it broke",
      tool: "bash",
      ...expected,
    });
  });

test("a failure names the arguments of the call, tokens masked and long texts cut", () => {
  const token = `ghp_${"a".repeat(36)}`;
  const { tool, args } = toEnvelope(failed("DENIED"), {
    command: `push ${token}`,
    long: "x".repeat(100_000),
  });
  assert.equal(tool, "bash");
  assert.match(JSON.stringify(args), /^\{"command":"push ⟦masked⟧","long":"x+/);
  assert.ok(JSON.stringify(args).length < 5000);
});

test("the envelope that a model reads names the arguments without the engine's secrets", async () => {
  const engine = createEngine({ tools: [], modelText: "envelope", secrets: ["hunter2hunter2"] });
  const { content } = await engine.run({ id: "1", name: "gone", input: { key: "hunter2hunter2" } });
  await engine.close();
  const [text] = content;
  assert.match(text?.type === "text" ? text.text : "", /"tool":"gone","args":\{"key":"⟦masked⟧"\}/);
});
