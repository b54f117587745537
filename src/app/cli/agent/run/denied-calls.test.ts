import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../../core/json.ts";
import type { Verdict } from "../../../../core/verdict.ts";
import { createDeniedCalls, flagsFor } from "./denied-calls.ts";

/** Returns what is listed of one call that was denied after this verdict. */
function denialOf(name: string, input: JsonObject, verdict: Partial<Verdict>) {
  const denied = createDeniedCalls();
  const hear = (event: object): void => denied.hear({ callId: "1", ...event } as never);
  hear({ type: "call.received", name, input });
  hear({ type: "call.judged", verdict });
  hear({
    type: "call.answered",
    result: { ok: false, name, error: { code: "DENIED", message: "no terminal" } },
  });
  return denied.list();
}

const ASK = { kind: "ask" } as const;
const FLAGS: readonly (readonly [string, string, JsonObject, Partial<Verdict>, string | undefined])[] = [
  [
    "a tool without paths",
    "publish",
    {},
    { ...ASK, grant: { decision: "allow", tool: "publish" } },
    "--allow publish",
  ],
  [
    "a change of a file",
    "edit_file",
    {},
    { ...ASK, grant: { decision: "allow", path: "src/**" } },
    "--mode edits",
  ],
  [
    "a command",
    "shell",
    { command: "npm run build" },
    { ...ASK, grant: { decision: "allow", command: ["npm", "run", "build"] } },
    "--allow 'npm run build'",
  ],
  ["what can only be approved once", "shell", {}, { ...ASK, ungrantable: "it is code" }, "--yes"],
  ["what a rule denies", "shell", {}, { kind: "deny" }, undefined],
];

for (const [what, name, input, verdict, flag] of FLAGS)
  test(`${what} is listed with ${flag ?? "no flag"}`, () => {
    const denied = denialOf(name, input, verdict);
    assert.deepEqual(
      denied.map(({ callId, name: tool, reason, allowWith }) => [callId, tool, reason, allowWith]),
      [["1", name, "no terminal", flag]],
    );
    assert.deepEqual(flagsFor([...denied, ...denied]), flag === undefined ? [] : [flag]);
  });

test("a call that failed for another reason was not denied", () => {
  const denied = createDeniedCalls();
  const result = { ok: false, name: "x", error: { code: "TOOL_FAILED", message: "y" } };
  denied.hear({ type: "call.answered", callId: "1", result } as never);
  assert.deepEqual(denied.list(), []);
});
