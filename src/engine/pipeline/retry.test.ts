import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import { ToolError, type ErrorCode } from "../../core/errors.ts";
import type { Executor } from "../../core/executor.ts";
import type { Effects } from "../../core/spec.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

const retry = { firstWaitMs: 4 };

/** Fails so many times with a code, then answers. */
function flaky(failures: number, code: ErrorCode = "UNAVAILABLE", effects: Effects = "none") {
  let runs = 0;
  return defineTool({
    name: "flaky",
    description: "",
    risk: "low",
    effects,
    run: () => {
      runs += 1;
      if (runs <= failures) throw new ToolError(code, `failure ${runs}`);
      return `run ${runs}`;
    },
  });
}

test("a safe tool is retried if the error code allows it", async () => {
  const result = await createEngine({ tools: [flaky(2)], retry }).run(call("flaky"));
  assert.equal(textOf(result), "run 3");
  assert.equal(result.meta.attempts, 3);
});

test("a rejected promise is retried like a thrown error", async () => {
  let runs = 0;
  const tool = defineTool({
    name: "t",
    description: "",
    risk: "low",
    effects: "idempotent",
    run: async () => {
      runs += 1;
      if (runs === 1) throw new ToolError("UNAVAILABLE", "not yet");
      return "now";
    },
  });
  assert.equal(textOf(await createEngine({ tools: [tool], retry }).run(call("t"))), "now");
});

test("after the last attempt its failure is the answer", async () => {
  const result = await createEngine({ tools: [flaky(9)], retry }).run(call("flaky"));
  assert.equal(codeOf(result), "UNAVAILABLE");
  assert.equal(result.meta.attempts, 3);
});

test("a call that an executor tries again by itself is not repeated if it cannot run; one that timed out is", async () => {
  for (const [code, attempts] of [
    ["UNAVAILABLE", 1],
    ["TOOL_TIMEOUT", 3],
  ] as const) {
    const tool = flaky(9, code);
    for (const retriesItself of [true, false]) {
      const execute: Executor["execute"] = ({ input }, context) => tool.run(input, context);
      const executors = [{ place: "gpu", retriesItself, execute }];
      const engine = createEngine({ tools: [tool], executors, retry });
      const { meta } = await engine.run(call("flaky"), { place: "gpu" });
      assert.equal(meta.attempts, retriesItself ? attempts : 3);
    }
  }
});

for (const effects of ["unsafe", "own-state"] as const) {
  test(`a tool with effects ${effects} is never run twice`, async () => {
    const result = await createEngine({ tools: [flaky(1, "UNAVAILABLE", effects)], retry }).run(
      call("flaky"),
    );
    assert.equal(result.meta.attempts, 1);
  });
}

for (const code of ["TOOL_FAILED", "INVALID_OUTPUT", "MISSING_CREDENTIALS"] as const) {
  test(`${code} is not retried`, async () => {
    const result = await createEngine({ tools: [flaky(1, code)], retry }).run(call("flaky"));
    assert.deepEqual([codeOf(result), result.meta.attempts], [code, 1]);
  });
}

test("delays grow by the factor, with jitter over their upper half", async () => {
  const engine = createEngine({ tools: [flaky(9)], retry: { attempts: 4, firstWaitMs: 4, factor: 3 } });
  const events = eventsOf(engine);
  await engine.run(call("flaky"));
  const waits = events.flatMap((event) => (event.type === "call.retried" ? [event.waitMs] : []));
  assert.equal(waits.length, 3);
  for (const [index, longest] of [4, 12, 36].entries()) {
    const wait = waits[index] ?? 0;
    assert.ok(wait >= longest / 2 && wait <= longest, `${wait} of ${longest}`);
  }
});

test("a delay beyond the deadline is not started", async () => {
  const engine = createEngine({ tools: [flaky(9)], retry: { firstWaitMs: 60_000 }, timeoutMs: 50 });
  const result = await engine.run(call("flaky"));
  assert.deepEqual([codeOf(result), result.meta.attempts], ["UNAVAILABLE", 1]);
});

test("a cancel during the wait ends it", async () => {
  const controller = new AbortController();
  const engine = createEngine({ tools: [flaky(9)], retry: { firstWaitMs: 20_000 } });
  engine.on((event) => void (event.type === "call.retried" && setImmediate(() => controller.abort())));
  const result = await engine.run(call("flaky"), { signal: controller.signal });
  assert.equal(codeOf(result), "CANCELLED");
});

test("a cancel by a listener of the retry event ends the wait", async () => {
  const controller = new AbortController();
  const engine = createEngine({
    tools: [flaky(9)],
    retry: { firstWaitMs: 600_000 },
    timeoutMs: 3_600_000,
  });
  engine.on((event) => void (event.type === "call.retried" && controller.abort()));
  const result = await engine.run(call("flaky"), { signal: controller.signal });
  assert.equal(codeOf(result), "CANCELLED");
});

test("an attempt after an idle end has a signal of its own", async () => {
  let runs = 0;
  const tool = defineTool({
    name: "t",
    description: "",
    risk: "low",
    effects: "none",
    limits: { idleTimeoutMs: 10 },
    run: (_, { signal }) => {
      runs += 1;
      return runs === 1 ? new Promise(() => undefined) : `aborted: ${signal.aborted}`;
    },
  });
  assert.equal(textOf(await createEngine({ tools: [tool], retry }).run(call("t"))), "aborted: false");
});

/** Hangs so many times, then answers. */
function hanging(times: number, effects: Effects = "none") {
  let runs = 0;
  return defineTool({
    name: "hanging",
    description: "",
    risk: "low",
    effects,
    run: () => ((runs += 1) <= times ? new Promise(() => undefined) : `run ${runs}`),
  });
}

test("a safe call that times out is tried again, each attempt with a deadline of its own", async () => {
  const result = await createEngine({ tools: [hanging(2)], retry, timeoutMs: 20 }).run(call("hanging"));
  assert.deepEqual([textOf(result), result.meta.attempts], ["run 3", 3]);
});

test("a call that times out at every attempt is answered when its attempts are used up", async () => {
  const result = await createEngine({ tools: [hanging(9)], retry, timeoutMs: 20 }).run(call("hanging"));
  assert.deepEqual([codeOf(result), result.meta.attempts], ["TOOL_TIMEOUT", 3]);
});

test("the caller's own limit is for all attempts together", async () => {
  const result = await createEngine({ tools: [hanging(9)], retry }).run(call("hanging"), { timeoutMs: 20 });
  assert.deepEqual([codeOf(result), result.meta.attempts], ["TOOL_TIMEOUT", 1]);
});

for (const effects of ["unsafe", "own-state"] as const) {
  test(`a call with effects ${effects} that times out is not tried again`, async () => {
    const engine = createEngine({ tools: [hanging(1, effects)], retry, timeoutMs: 20 });
    const result = await engine.run(call("hanging"));
    assert.deepEqual([codeOf(result), result.meta.attempts], ["TOOL_TIMEOUT", 1]);
  });
}

test("each attempt has a deadline of its own, unless the caller limits the call", async () => {
  const seen = new Set<number>();
  const failing = defineTool({
    name: "t",
    description: "",
    risk: "low",
    effects: "none",
    run: (_, { deadlineAt }) => {
      seen.add(deadlineAt);
      throw new ToolError("UNAVAILABLE", "not now");
    },
  });
  const engine = createEngine({ tools: [failing], retry: { attempts: 3, firstWaitMs: 1, factor: 1 } });
  await engine.run(call("t"));
  assert.equal(seen.size, 3);
  seen.clear();
  const { meta } = await engine.run(call("t"), { timeoutMs: 60_000 });
  assert.deepEqual([meta.attempts, seen.size], [3, 1]);
});
