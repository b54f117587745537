import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import { before, openEngine } from "../../../test/support/engines/hook-engine.ts";
import { ToolError } from "../../core/errors.ts";
import type { Hook, HookDecision } from "../../core/hook.ts";
import type { Policy } from "../../core/policy.ts";
import { defineTool } from "../../schema/define/define-tool.ts";

const UNREADABLE = {
  get kind(): never {
    throw new Error("broken inside");
  },
};

const FAILURES: Readonly<Record<string, Partial<Hook> & Pick<Hook, "run">>> = {
  throws: {
    run: () => {
      throw new Error("broken inside");
    },
  },
  rejects: { run: () => Promise.reject(new ToolError("TOOL_FAILED", "broken inside")) },
  "throws while matching": {
    run: () => undefined,
    matches: () => {
      throw new Error("broken inside");
    },
  },
  hangs: { run: () => new Promise(() => undefined), timeoutMs: 20 },
  "answers an unknown kind": { run: () => ({ kind: "allow" }) as unknown as HookDecision },
  "answers a text": { run: () => "pass" as unknown as HookDecision },
  "answers null": { run: () => null as unknown as HookDecision },
  "refuses without a reason": { run: () => ({ kind: "refuse" }) as unknown as HookDecision },
  "rewrites to a list": { run: () => ({ kind: "rewrite", input: [] }) as unknown as HookDecision },
  "rewrites to what is not JSON": {
    run: () => ({ kind: "rewrite", input: { a: 1n } }) as unknown as HookDecision,
  },
  "answers an object that cannot be read": { run: () => UNREADABLE },
  "answers later with an object that cannot be read": { run: () => Promise.resolve(UNREADABLE) },
  "notes before the call": { run: () => ({ kind: "note", text: "x" }) },
};

for (const [what, hook] of Object.entries(FAILURES)) {
  test(`a hook that ${what} refuses the call, and is named`, async () => {
    const { engine, ran } = openEngine([before("bad", hook.run, hook)]);
    const events = eventsOf(engine);
    const result = await engine.run(call("say", { word: "hi" }));
    assert.equal(codeOf(result), "DENIED");
    assert.match(textOf(result), /hook "bad" failed/);
    assert.deepEqual(ran, []);
    assert.deepEqual(
      events.filter(({ type }) => type === "hook.failed").map((event) => "hook" in event && event.hook),
      ["bad"],
    );
  });

  test(`a hook that ${what} lets the call pass if its onFailure is pass`, async () => {
    const { engine, ran } = openEngine([before("bad", hook.run, { ...hook, onFailure: "pass" })]);
    assert.equal(codeOf(await engine.run(call("say", { word: "hi" }))), "ok");
    assert.equal(ran.length, 1);
  });
}

test("a hook that times out has its signal aborted", async () => {
  let signal: AbortSignal | undefined;
  const hang = before(
    "slow",
    (_moment, own) => {
      signal = own;
      return new Promise(() => undefined);
    },
    { timeoutMs: 20 },
  );
  const { engine } = openEngine([hang]);
  assert.match(textOf(await engine.run(call("say", { word: "hi" }))), /did not answer within 0\.02 s/);
  assert.equal(signal?.aborted, true);
});

for (const [when, schedule] of Object.entries({
  "at once": (abort: () => void) => abort(),
  later: (abort: () => void) => setImmediate(abort),
})) {
  test(`a cancel while a hook runs, ${when}, ends the hook and the call, and nothing runs`, async () => {
    const cancel = new AbortController();
    let signal: AbortSignal | undefined;
    const hook = before("slow", (_moment, own) => {
      signal = own;
      schedule(() => cancel.abort());
      return new Promise(() => undefined);
    });
    const { engine, ran } = openEngine([hook]);
    const result = await engine.run(call("say", { word: "hi" }), { signal: cancel.signal });
    assert.equal(codeOf(result), "CANCELLED");
    assert.equal(signal?.aborted, true);
    assert.deepEqual(ran, []);
  });
}

test("closing the engine ends a hook that runs, and its call is answered", async () => {
  let started = (): void => undefined;
  const running = new Promise<void>((resolve) => (started = resolve));
  const hook = before("slow", (_moment, signal) => {
    started();
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("ended")));
    });
  });
  const { engine, ran } = openEngine([hook]);
  const answer = engine.run(call("say", { word: "hi" }));
  await running;
  await engine.close();
  assert.equal(codeOf(await answer), "CANCELLED");
  assert.deepEqual(ran, []);
});

test("a hook sees the paths that a command names, as far as policy can read them", async () => {
  const facts: unknown[] = [];
  const look = before("look", (moment) => void facts.push(...(moment.facts ?? [])), {
    matches: ({ facts: touched = [] }) =>
      touched.some((fact) => fact.kind === "path" && fact.path === "/w/.env"),
  });
  const shell = defineTool({
    name: "run",
    description: "Runs.",
    risk: "low",
    facts: () => [{ kind: "command", text: "cat .env", cwd: "/w" }],
    run: () => "",
  });
  const paths = [{ text: ".env", cwd: "/w", access: "read" }] as const;
  const policy: Policy = {
    judge: () => ({ kind: "allow", reason: "", rule: "" }),
    read: () => ({ certainty: "read", commands: [], paths, isReadOnly: false }),
  };
  const { engine } = openEngine([look], { policy });
  engine.add(shell);
  assert.equal(codeOf(await engine.run(call("run"))), "ok");
  assert.equal(facts.length, 2);
});
