import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import { ToolError } from "../../core/errors.ts";
import type { Hook, HookDecision } from "../../core/hook.ts";
import type { ToolResult } from "../../core/result.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import { createEngine } from "../engine.ts";

const quote = defineTool({
  name: "quote",
  description: "Quotes.",
  risk: "low",
  run: () => "the secret plan",
});
const fails = defineTool({
  name: "fails",
  description: "Fails.",
  risk: "low",
  run() {
    throw new ToolError("TOOL_FAILED", "no luck");
  },
});
const risky = defineTool({ name: "risky", description: "Is denied.", risk: "high", run: () => "never" });
const tools = [quote, fails, risky];

function after(name: string, run: Hook["run"], more: Partial<Hook> = {}): Hook {
  return { name, on: ["after_tool", "tool_error"], run, ...more };
}

test("a hook after a call sees its answer, and its note is added for the model", async () => {
  const seen: unknown[] = [];
  const hook = after("lint", ({ point, call: made, result }) => {
    seen.push(point, made?.name, result?.ok);
    return { kind: "note", text: "two\u001b[31m warnings\u202e" };
  });
  const result = await createEngine({ tools, hooks: [hook] }).run(call("quote"));
  assert.ok(result.ok);
  assert.deepEqual(seen, ["after_tool", "quote", true]);
  assert.deepEqual(result.content, [
    { type: "text", text: "the secret plan" },
    { type: "text", text: "[hook lint] two warnings\\u{202e}" },
  ]);
});

test("notes of several hooks come in their order, from hooks that wait and hooks that do not", async () => {
  const hooks = [
    after("a", async () => ({ kind: "note", text: "1" })),
    after("b", () => ({ kind: "note", text: "2" })),
    after("c", () => undefined),
  ];
  const result = await createEngine({ tools, hooks }).run(call("quote"));
  assert.equal(textOf(result), "the secret plan\n[hook a] 1\n[hook b] 2");
});

test("a long note is cut", async () => {
  const hooks = [after("loud", () => ({ kind: "note", text: "x".repeat(100_000) }))];
  const result = await createEngine({ tools, hooks }).run(call("quote"));
  assert.ok(textOf(result).length < 6000);
  assert.match(textOf(result), /\[truncated\]$/);
});

test("a hook that refuses withholds the answer from the caller, the journal and the events, and says that the call ran", async () => {
  const journal = createMemoryJournal();
  const hook = after("wall", () => ({ kind: "refuse", reason: "it is secret" }));
  const engine = createEngine({ tools, hooks: [hook], journal });
  const events = eventsOf(engine);
  const result = await engine.run(call("quote"));
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /"quote" ran, but hook "wall" withheld its answer: it is secret/);
  assert.doesNotMatch(JSON.stringify([result, events, await journal.list({})]), /secret plan/);
  await engine.close();
});

test("a tool that fails runs the tool_error hooks and not the after_tool hooks", async () => {
  const points: string[] = [];
  const hook = after("see", ({ point, result }) => {
    points.push(`${point} ${result?.ok === false ? result.error.code : "ok"}`);
    return { kind: "note", text: "try again tomorrow" };
  });
  const result = await createEngine({ tools, hooks: [hook] }).run(call("fails"));
  assert.equal(codeOf(result), "TOOL_FAILED");
  assert.match(textOf(result), /no luck\n\[hook see\] try again tomorrow/);
  assert.deepEqual(points, ["tool_error TOOL_FAILED"]);
});

for (const [what, made] of Object.entries({
  "a denial": call("risky"),
  "an unknown tool": call("missing"),
  "an input that does not fit": call("quote", { what: 1 }),
})) {
  test(`${what} is no error of a tool: no hook runs`, async () => {
    let asked = 0;
    const hook = after("count", () => void (asked += 1));
    assert.equal((await createEngine({ tools, hooks: [hook] }).run(made)).ok, false);
    assert.equal(asked, 0);
  });
}

const BROKEN: Readonly<Record<string, Hook["run"]>> = {
  throws: () => {
    throw new Error("broken inside");
  },
  rejects: () => Promise.reject(new Error("broken inside")),
  hangs: () => new Promise(() => undefined),
  "would rewrite": () => ({ kind: "rewrite", input: {} }),
  "would ask": () => ({ kind: "ask", reason: "late" }),
  "answers nonsense": () => 7 as unknown as HookDecision,
};

for (const [what, run] of Object.entries(BROKEN)) {
  test(`a hook after a call that ${what} leaves the answer unchanged, and is reported as failed`, async () => {
    const engine = createEngine({ tools, hooks: [after("bad", run, { timeoutMs: 20 })] });
    const events = eventsOf(engine);
    const result = await engine.run({ id: "9", name: "quote", input: {} });
    assert.equal(textOf(result), "the secret plan");
    const failed = events.filter((event) => event.type === "hook.failed");
    assert.deepEqual(
      failed.map(({ hook, point, callId }) => [hook, point, callId]),
      [["bad", "after_tool", "9"]],
    );
    await engine.close();
  });

  test(`a hook after a call that ${what} withholds the answer if its onFailure is refuse`, async () => {
    const engine = createEngine({
      tools,
      hooks: [after("bad", run, { timeoutMs: 20, onFailure: "refuse" })],
    });
    assert.equal(codeOf(await engine.run(call("quote"))), "DENIED");
    await engine.close();
  });
}

test("a cancel while an after hook runs returns the answer, or withholds it if the hook must see it", async () => {
  const cancelled = async (onFailure: "refuse" | "pass"): Promise<ToolResult> => {
    const cancel = new AbortController();
    const hang = (): Promise<never> => {
      queueMicrotask(() => cancel.abort());
      return new Promise(() => undefined);
    };
    const engine = createEngine({ tools, hooks: [after("slow", hang, { onFailure })] });
    return engine.run(call("quote"), { signal: cancel.signal });
  };
  assert.equal(textOf(await cancelled("pass")), "the secret plan");
  assert.equal(codeOf(await cancelled("refuse")), "DENIED");
});
