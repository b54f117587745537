import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import { commandFailure } from "./command-failure.ts";

const META = { startedAt: 0, durationMs: 5, place: "host", attempts: 1, source: "built-in" } as const;

function result(data: JsonObject, text: string): ToolResult {
  return { callId: "c", name: "shell", ok: true, data, content: [{ type: "text", text }], meta: META };
}

for (const [what, data, text, failure] of [
  ["a good command", { exit_code: 0, stderr: "note" }, "x", undefined],
  ["an answer without an exit code", {}, "x", undefined],
  [
    "a line on standard error",
    { exit_code: 2, stderr: "a\nlast\n\n" },
    "out\n[exit code 2]",
    "exit code 2: last",
  ],
  ["a line on standard output", { exit_code: 1, stderr: "" }, "out\n[exit code 1]", "exit code 1: out"],
  ["no output", { exit_code: 1 }, "[exit code 1]", "exit code 1"],
  [
    "a report of Node's test runner",
    { exit_code: 1, stderr: "" },
    "✖ adds (1.2ms)\n  AssertionError [ERR_ASSERTION]: 1 !== 2\n\n    at a.js:1\n    expected: 2,\n    diff: 'simple'\n  }\n[exit code 1]",
    "exit code 1: AssertionError [ERR_ASSERTION]: 1 !== 2",
  ],
  [
    "an error of a compiler before its counts",
    { exit_code: 2, stderr: "" },
    "a.ts(1,2): error TS2322: no\n\nFound 1 problem; 0 errors fixed\n}\n",
    "exit code 2: a.ts(1,2): error TS2322: no",
  ],
  [
    "where npm has its log",
    {
      exit_code: 1,
      stderr:
        "npm error code ENEEDAUTH\nnpm error need auth You need to authorize this machine\nnpm error A complete log of this run can be found in: /home/me/.npm/_logs/x-debug-0.log\n",
    },
    "",
    "exit code 1: npm error need auth You need to authorize this machine",
  ],
  ["a line of brackets only", { exit_code: 1, stderr: "last\n}\n" }, "", "exit code 1: last"],
  ["a signal", { exit_code: null, signal: "SIGKILL" }, "", "ended by SIGKILL"],
  [
    "hidden characters in a signal",
    { signal: "\u{1b}]52;c;eA==\u{7}" },
    "",
    "ended by \\u{1b}]52;c;eA==\\u{7}",
  ],
  ["hidden characters", { exit_code: 1, stderr: "\u{1b}[2Kx" }, "", "exit code 1: \\u{1b}[2Kx"],
] as const) {
  test(`${what} is ${String(failure)}`, () => assert.equal(commandFailure(result(data, text)), failure));
}
