import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test, type TestContext } from "node:test";
import type { Tool } from "../core/tool.ts";
import { createEngine } from "../engine/engine.ts";
import type { Engine } from "../engine/types/engine.ts";
import { add, call, codeOf } from "../../test/support/engines/engine.ts";
import { createToolClient } from "./client.ts";
import { createJobs } from "./jobs.ts";
import { createSandboxExecutor, type StartedServer } from "./sandbox-executor.ts";
import { serveLines } from "./serve-lines.ts";

const SUM = call("add", { a: 1, b: 2 });
const sandboxed: Tool = { ...add, place: "sandbox" };

interface Sandboxes {
  readonly engine: Engine;
  /** The number of starts, and of servers that were stopped. */
  readonly count: { started: number; stopped: number };
}

/** Creates an engine whose sandboxes are servers in this process; each start waits for `before`, which may fail. */
function openSandboxes(t: TestContext, before: (signal: AbortSignal) => Promise<void>): Sandboxes {
  const count = { started: 0, stopped: 0 };
  const start = async (_: unknown, signal: AbortSignal): Promise<StartedServer> => {
    count.started += 1;
    await before(signal);
    const jobs = createJobs(createEngine({ tools: [add] }));
    const [input, output] = [new PassThrough(), new PassThrough()];
    const client = createToolClient((line) => void input.write(line));
    output.setEncoding("utf8").on("data", (piece: string) => void client.receive(piece));
    void serveLines(jobs, input, output);
    const ended = Promise.withResolvers<string>();
    const stop = async (): Promise<void> => {
      count.stopped += 1;
      await jobs.drain(0);
      ended.resolve("stopped");
    };
    return { client, ended: ended.promise, stop };
  };
  const executor = createSandboxExecutor({ start, accepts: () => true });
  const engine = createEngine({ tools: [sandboxed], executors: [executor], retry: { attempts: 1 } });
  t.after(() => engine.close());
  return { engine, count };
}

test("a call that is cancelled while the sandbox starts ends neither the sandbox nor other calls", async (t) => {
  const [started, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { engine, count } = openSandboxes(t, () => {
    started.resolve();
    return go.promise;
  });
  const cancelling = new AbortController();
  const first = engine.run(SUM, { session: "s", signal: cancelling.signal });
  const second = engine.run({ ...SUM, id: "second" }, { session: "s" });
  await started.promise;
  cancelling.abort();
  go.resolve();
  assert.deepEqual([codeOf(await first), codeOf(await second)], ["CANCELLED", "ok"]);
  assert.equal(codeOf(await engine.run(SUM, { session: "s" })), "ok");
  assert.deepEqual(count, { started: 1, stopped: 0 });
});

test("a start that failed is tried again by the next call, and every sandbox ends with its session", async (t) => {
  let fails = true;
  const { engine, count } = openSandboxes(t, async () => {
    if (fails) throw new Error("no space");
  });
  const failed = await Promise.all([1, 2, 3].map(() => engine.run(SUM, { session: "s" })));
  assert.ok(failed.every((result) => !result.ok && result.error.message.includes("no space")));
  fails = false;
  for (const session of ["s", "t"]) assert.equal(codeOf(await engine.run(SUM, { session })), "ok");
  await engine.session("s").close();
  assert.deepEqual(count, { started: 3, stopped: 1 });
  await engine.close();
  assert.deepEqual(count, { started: 3, stopped: 2 });
});

test("a session that ends while its sandbox starts aborts the start", async (t) => {
  const started = Promise.withResolvers<void>();
  const { engine, count } = openSandboxes(t, (signal) => {
    started.resolve();
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
  });
  const running = engine.run(SUM, { session: "s" });
  await started.promise;
  await engine.session("s").close();
  assert.equal((await running).ok, false);
  assert.deepEqual(count, { started: 1, stopped: 0 });
});

for (const [effects, mayHaveHadEffects] of [
  ["none", undefined],
  ["unsafe", true],
] as const)
  test(`a call with effects ${effects} whose server ends says whether it may have had effects`, async (t) => {
    const start = async (): Promise<StartedServer> => {
      const ended = Promise.withResolvers<string>();
      // It is killed when the call reaches it.
      const client = createToolClient(() => client.close("it was killed"));
      return { client, ended: ended.promise, stop: async () => ended.resolve("killed") };
    };
    const executor = createSandboxExecutor({ start, accepts: () => true });
    const engine = createEngine({ tools: [{ ...sandboxed, effects }], executors: [executor] });
    t.after(() => engine.close());
    const result = await engine.run(SUM);
    assert(!result.ok);
    assert.equal(result.error.code, "TOOL_CRASHED");
    assert.equal(result.error.details?.["mayHaveHadEffects"], mayHaveHadEffects);
  });
