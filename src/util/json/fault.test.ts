import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf } from "../../../test/support/engines/engine.ts";
import type { ToolContext } from "../../core/context.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { ToolError } from "../../core/errors.ts";
import { createEngine } from "../../engine/engine.ts";

for (const [what, thrown] of unreadableErrors()) {
  test(`${what} is answered too, and the engine closes`, async () => {
    const tool = defineTool({
      name: "t",
      description: "",
      risk: "low",
      run: () => {
        throw thrown;
      },
    });
    for (const one of [tool, { ...tool, run: async () => tool.run({}, {} as never) }]) {
      const engine = createEngine({ tools: [one] });
      assert.equal(codeOf(await engine.run(call("t"))), "TOOL_FAILED");
      await engine.close();
    }
    const late = createEngine({ tools: [{ ...tool, limits: { graceMs: 10_000 }, run: untilEnded }] });
    assert.equal(codeOf(await late.run(call("t"), { timeoutMs: 1 })), "TOOL_TIMEOUT");
    await late.close();

    /** Throws it as its last words. */
    async function untilEnded(_input: object, { signal }: ToolContext): Promise<never> {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw thrown;
    }
  });
}

/** What only a tool that is written without types can throw. */
function unreadableErrors(): readonly (readonly [string, unknown])[] {
  const unreadable = {
    get field(): never {
      throw new Error("not for you");
    },
  };
  return [
    ["an error of a code of its own", new ToolError("NO_SUCH_USER" as never, "nobody")],
    ["an error whose message is no text", Object.assign(new Error(), { message: { reason: "x" } })],
    ["an error with a hint that is no text", new ToolError("TOOL_FAILED", "x", { hint: 5 as never })],
    ["an error with details that throw", new ToolError("TOOL_FAILED", "x", { details: unreadable })],
    ["an error that cannot be looked at", new Proxy(new Error("x"), { get: () => unreadable.field })],
  ];
}

test("a tool's own code is in the details", async () => {
  const run = (): never => {
    throw new ToolError("NO_SUCH_USER" as never, "nobody", { details: { id: 7 } });
  };
  const engine = createEngine({ tools: [defineTool({ name: "t", description: "", risk: "low", run })] });
  const result = await engine.run(call("t"));
  assert.deepEqual(!result.ok && [result.error.message, result.error.details], [
    "nobody",
    { id: 7, toolCode: "NO_SUCH_USER" },
  ]);
});

test("of an error and the failure to close after it, the first is the answer", async () => {
  const run = async (): Promise<never> => {
    await using _resource = {
      [Symbol.asyncDispose]: () => Promise.reject(new Error("cannot close")),
    };
    throw new ToolError("UNAVAILABLE", "the disk is full", { hint: "make room" });
  };
  const engine = createEngine({ tools: [defineTool({ name: "t", description: "", risk: "low", run })] });
  const result = await engine.run(call("t"));
  assert.deepEqual(!result.ok && [result.error.code, result.error.message, result.error.hint], [
    "UNAVAILABLE",
    "the disk is full",
    "make room",
  ]);
});

for (const [effects, mayHaveHadEffects, hint] of [
  ["none", undefined, undefined],
  ["idempotent", true, undefined],
  ["own-state", true, /check what it did/],
  ["unsafe", true, /check what it did/],
] as const)
  test(`a call with effects ${effects} that is answered while its tool runs says whether it may have had effects`, async () => {
    const run = (): Promise<never> => new Promise(() => undefined);
    const tool = defineTool({ name: "t", description: "", risk: "low", effects, run });
    const engine = createEngine({ tools: [tool], timeoutMs: 5, retry: { attempts: 1 } });
    const result = await engine.run(call("t"));
    assert(!result.ok);
    assert.equal(result.error.details?.["mayHaveHadEffects"], mayHaveHadEffects);
    if (hint === undefined) assert.equal(result.error.hint, undefined);
    else assert.match(result.error.hint ?? "", hint);
  });
