import assert from "node:assert/strict";
import { ToolError } from "../../../../core/errors.ts";
import type { Executor } from "../../../../core/executor.ts";
import { isObject, type Json } from "../../../../core/json.ts";
import type { Tool } from "../../../../core/tool.ts";
import { createBareEngine } from "../../../../engine/bare-engine.ts";
import { defineTool } from "../../../../schema/define/define-tool.ts";
import { number, object, string } from "../../../../schema/define/schema.ts";
import { registerCases, type Cases, type ContractOptions } from "./kit.ts";

/** An executor that is closed at the end of the test. */
export type TestedExecutor = Executor & Partial<AsyncDisposable>;

type Open = () => Promise<AsyncDisposable & Opened>;

/** An engine whose tools of the contract run in the executor. */
interface Opened {
  run(
    name: string,
    input?: object,
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<Outcome>;
  readonly progress: readonly string[];
}

interface Outcome {
  readonly data: Json | undefined;
  readonly code: string | undefined;
  readonly message: string | undefined;
}

/** Returns the tools that the contract calls, for an executor that runs the tools of another process: there they must be known too. */
export function executorTools(place: string): readonly Tool[] {
  const common = { risk: "low", effects: "none", place } as const;
  let aborted = 0;
  return [
    defineTool({
      name: "echo",
      description: "Returns its text.",
      ...common,
      input: object({ text: string() }),
      run: ({ text }) => ({ text }),
    }),
    defineTool({
      name: "fail",
      description: "Fails.",
      ...common,
      input: object({ code: string() }),
      run({ code }) {
        if (code === "") throw new Error("it broke");
        throw new ToolError("UNAVAILABLE", "not today", { hint: "try tomorrow" });
      },
    }),
    defineTool({
      name: "wait",
      description: "Waits until it is cancelled.",
      ...common,
      input: object({}),
      run: (_, { signal, emit }) =>
        new Promise<string>((_resolve, reject) => {
          const abort = (): void => {
            aborted += 1;
            reject(signal.reason as Error);
          };
          signal.addEventListener("abort", abort, { once: true });
          emit({ done: 0 });
        }),
    }),
    defineTool({
      name: "aborted",
      description: "Returns how many of the calls that waited have been aborted.",
      ...common,
      run: () => ({ aborted }),
    }),
    defineTool({
      name: "count",
      description: "Reports its progress.",
      ...common,
      input: object({ to: number() }),
      async run({ to }, { emit }) {
        for (let step = 1; step <= to; step += 1) emit({ done: step, total: to });
        return to;
      },
    }),
  ];
}

/** Registers the contract of every executor as tests. Experimental: cases may be added in a minor version. */
export function testExecutor(create: () => Promise<TestedExecutor>, options: ContractOptions = {}): void {
  const open: Open = async () => {
    const executor = await create();
    const engine = createBareEngine({
      policy: { judge: () => ({ kind: "allow", reason: "a test", rule: "test" }) },
      executors: [executor],
      tools: executorTools(executor.place),
      retry: { attempts: 1, firstWaitMs: 0, factor: 1 },
    });
    const progress: string[] = [];
    engine.on((event) => {
      if (event.type === "call.progressed") progress.push(JSON.stringify(event.progress));
    });
    let calls = 0;
    return {
      progress,
      async run(name, input = {}, runOptions = {}) {
        calls += 1;
        const result = await engine.run({ id: `${calls}`, name, input }, runOptions);
        const { code, message } = result.ok ? {} : result.error;
        return { data: result.ok ? result.data : undefined, code, message };
      },
      async [Symbol.asyncDispose]() {
        await engine.close();
        await executor[Symbol.asyncDispose]?.();
      },
    };
  };
  registerCases(CASES, open, options);
}

const CASES: Cases<Open> = {
  "the output of a tool is its answer, whatever characters it has": async ({ open }) => {
    await using opened = await open();
    for (const text of ["", "a", "é€💥", '{"a":1}', "x".repeat(2000)])
      assert.deepEqual((await opened.run("echo", { text })).data, { text });
  },

  "an error of a tool keeps its code and message": async ({ open }) => {
    await using opened = await open();
    const failed = await opened.run("fail", { code: "UNAVAILABLE" });
    assert.deepEqual([failed.code, failed.message], ["UNAVAILABLE", "not today"]);
    const broken = await opened.run("fail", { code: "" });
    assert.equal(broken.code, "TOOL_FAILED");
    assert.match(broken.message ?? "", /it broke/);
  },

  "after a failure the next call runs": async ({ open }) => {
    await using opened = await open();
    await opened.run("fail", { code: "" });
    assert.deepEqual((await opened.run("echo", { text: "next" })).data, { text: "next" });
  },

  "many calls at once get each its own answer": async ({ open }) => {
    await using opened = await open();
    const texts = Array.from({ length: 25 }, (_, index) => `${index}`);
    const outcomes = await Promise.all(texts.map((text) => opened.run("echo", { text })));
    assert.deepEqual(
      outcomes.map(({ data }) => data),
      texts.map((text) => ({ text })),
    );
  },

  "a cancelled call is answered, and its tool is aborted": async ({ open }) => {
    await using opened = await open();
    const cancel = new AbortController();
    const waiting = opened.run("wait", {}, { signal: cancel.signal });
    await until("the tool runs", async () => opened.progress.length > 0);
    cancel.abort();
    assert.equal((await waiting).code, "CANCELLED");
    await until("the tool is aborted", async () => (await abortedIn(opened)) === 1);
  },

  "a call beyond its deadline is answered, and its tool is aborted": async ({ open }) => {
    await using opened = await open();
    assert.equal((await opened.run("wait", {}, { timeoutMs: 1000 })).code, "TOOL_TIMEOUT");
    await until("the tool is aborted", async () => (await abortedIn(opened)) === 1);
  },

  "progress arrives in order, before the answer": async ({ open }) => {
    await using opened = await open();
    await opened.run("count", { to: 5 });
    const steps = [1, 2, 3, 4, 5].map((done) => JSON.stringify({ done, total: 5 }));
    assert.deepEqual(opened.progress, steps);
  },
};

async function abortedIn(opened: Opened): Promise<Json | undefined> {
  const { data } = await opened.run("aborted");
  return isObject(data) ? data["aborted"] : undefined;
}

const PATIENCE_MS = 10_000;

/** The tool of another process learns of the end of its call after the answer. */
async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, `not within ${PATIENCE_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
