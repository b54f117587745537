import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { add, call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { ToolError } from "../../core/errors.ts";
import type { Around } from "../../core/executor.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

const sum = call("add", { a: 1, b: 2 });

describe("around", () => {
  it("wraps the execution, the first wrapper outermost, and gets the call and its output", async () => {
    const seen: unknown[] = [];
    const wrap =
      (name: string): Around =>
      async ({ name: tool, input, risk, context }, next) => {
        seen.push(`${name} before ${tool} ${JSON.stringify(input)} ${risk} attempt ${context.attempt}`);
        const output = await next();
        seen.push(`${name} after ${JSON.stringify(output)}`);
        return output;
      };
    const engine = createEngine({ tools: [add], around: [wrap("outer"), wrap("inner")] });
    const result = await engine.run(sum);
    assert.ok(result.ok);
    assert.deepEqual(result.data, { sum: 3 });
    assert.deepEqual(seen, [
      'outer before add {"a":1,"b":2} low attempt 1',
      'inner before add {"a":1,"b":2} low attempt 1',
      'inner after {"sum":3}',
      'outer after {"sum":3}',
    ]);
  });

  it("leaves calls that an executor does not accept to its fallback", async () => {
    for (const accepted of [true, false]) {
      const execute = (): unknown => ({ sum: 0 });
      const elsewhere = { place: "gpu", fallback: "host", accepts: () => accepted, execute } as const;
      const engine = createEngine({
        tools: [{ ...add, place: "gpu" }],
        executors: [elsewhere],
        around: [(_, next) => next()],
      });
      const { meta } = await engine.run(sum);
      assert.equal(meta.place, accepted ? "gpu" : "host");
    }
  });

  it("answers without the tool, as a cache does; the output is checked like the tool's own", async () => {
    const engine = createEngine({ tools: [add], around: [() => ({ sum: 99 })] });
    const cached = await engine.run(sum);
    assert.ok(cached.ok);
    assert.deepEqual(cached.data, { sum: 99 });
    const bad = createEngine({ tools: [add], around: [() => new Map()] });
    assert.equal(codeOf(await bad.run(sum)), "INVALID_OUTPUT");
  });

  it("fails the call with what it throws, also the tool's own failure that it passes on", async () => {
    const tool = defineTool({
      ...add,
      run() {
        throw new ToolError("UNAUTHORIZED", "the key was refused");
      },
    });
    const engine = createEngine({ tools: [tool], around: [(_, next) => next()] });
    assert.equal(codeOf(await engine.run(sum)), "UNAUTHORIZED");
    const locked = createEngine({
      tools: [add],
      around: [
        () => {
          throw new Error("the lock is taken");
        },
      ],
    });
    assert.match(textOf(await locked.run(sum)), /the lock is taken/);
  });

  it("is not called for a call that is denied, and runs the tool at most once", async () => {
    let wrapped = 0;
    const risky = defineTool({ ...add, name: "risky", risk: "high" });
    const engine = createEngine({
      tools: [risky, add],
      around: [
        async (_, next) => {
          wrapped += 1;
          await next();
          return next();
        },
      ],
    });
    assert.equal(codeOf(await engine.run(call("risky", { a: 1, b: 2 }))), "DENIED");
    assert.equal(wrapped, 0);
    assert.match(textOf(await engine.run(sum)), /called next\(\) twice/);
  });

  it("is within the deadline, wraps each attempt, and gets the whole output of an async iterable", async () => {
    const attempts: number[] = [];
    const slow = defineTool({ ...add, limits: { timeoutMs: 5 } });
    const engine = createEngine({
      tools: [slow],
      retry: { attempts: 2, firstWaitMs: 1 },
      around: [
        ({ context }) => {
          attempts.push(context.attempt);
          return new Promise(() => undefined);
        },
      ],
    });
    assert.equal(codeOf(await engine.run(sum)), "TOOL_TIMEOUT");
    assert.deepEqual(attempts, [1, 2]);
    const parts = defineTool({
      name: "parts",
      description: "Streams.",
      risk: "low",
      async *run() {
        yield "one ";
        yield "two";
      },
    });
    const streaming = createEngine({
      tools: [parts],
      around: [async (_, next) => String(await next()).toUpperCase()],
    });
    assert.equal(textOf(await streaming.run(call("parts"))), "ONE TWO");
  });
});
