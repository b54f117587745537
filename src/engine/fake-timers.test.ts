import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf } from "../../test/support/engines/engine.ts";
import { createVirtualTime } from "../../test/support/virtual-time.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { createEngine } from "./engine.ts";

const never = defineTool({
  name: "t",
  description: "",
  reading: true,
  run: () => new Promise(() => undefined),
});

test("a deadline is answered when its time has come, not a millisecond later, for tests with fake timers", async (t) => {
  const time = createVirtualTime(t);
  const { setTimeout: virtual } = globalThis;
  // The fake timers of vitest and jest make a timer of no time one of a millisecond, as Node does.
  t.mock.method(globalThis, "setTimeout", (callback: () => void, ms = 0) => virtual(callback, ms || 1));
  const running = createEngine({ tools: [never], timeoutMs: 20 }).run(call("t"));
  let code: unknown;
  void running.then((result) => (code = codeOf(result)));
  await time.pass(19);
  assert.equal(code, undefined);
  await time.pass(1);
  // The next turn of the event loop, as a fake timer has it.
  await new Promise(setImmediate);
  assert.equal(code, "TOOL_TIMEOUT");
});
