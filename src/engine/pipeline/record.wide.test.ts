import * as fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { add, call, codeOf, eventsOf } from "../../../test/support/engines/engine.ts";
import { ToolError } from "../../core/errors.ts";
import type { Journal, JournalEntry } from "../../core/store/journal.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, string } from "../../schema/define/schema.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import { createEngine } from "../engine.ts";
import { runs } from "../../../test/support/property-runs.ts";

const sendMail = defineTool({
  name: "send_mail",
  description: "",
  input: object({ to: string(), password: string() }),
  risk: "low",
  run: ({ to }) => `sent to ${to}`,
});

test("the journal has the call before it runs, and its one answer after", async () => {
  const journal = createMemoryJournal();
  let during: string | undefined;
  const looking = defineTool({
    name: "looking",
    description: "",
    risk: "low",
    run: async () => {
      during = (await journal.list())[0]?.state;
    },
  });
  await createEngine({ tools: [looking], journal }).run(call("looking"));
  assert.equal(during, "open");
  const [record] = await journal.list();
  assert.deepEqual([record?.state, record?.answer?.ok], ["answered", true]);
});

test("calls that never ran are recorded with their answer too", async () => {
  const journal = createMemoryJournal();
  const danger = defineTool({ name: "danger", description: "", risk: "high", run: () => assert.fail("ran") });
  const engine = createEngine({ tools: [add, danger], journal });
  const calls = [call("nope"), call("add", { a: "x" }), call("danger"), call("add", () => 1)];
  const codes = (await engine.runAll(calls, { parallel: false })).map(codeOf);
  assert.deepEqual(codes, ["TOOL_NOT_FOUND", "INVALID_INPUT", "DENIED", "INVALID_INPUT"]);
  const records = (await journal.list()).toReversed();
  assert.deepEqual(
    records.map(({ answer }) => answer !== null && codeOf(answer)),
    codes,
  );
});

test("hidden presets and secrets are not in the journal", async () => {
  const journal = createMemoryJournal();
  const engine = createEngine({ journal, secrets: ["swordfish99"] });
  engine.add(sendMail, { presets: { password: "hidden value" } });
  await engine.run(call("send_mail", { to: "swordfish99" }));
  const recorded = JSON.stringify(await journal.list());
  assert.doesNotMatch(recorded, /swordfish99|hidden value/);
});

const suspend = (): never => assert.fail("suspended");
const REST = { list: async () => [], claim: async () => undefined, close: async () => undefined } as const;

test("a call is recorded with its user, its cost, and the stages that it waited for, in order", async () => {
  const journal = createMemoryJournal();
  const waited = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
  const slow = defineTool({
    name: "slow",
    description: "",
    risk: "high",
    run: async (_input, { run }) => {
      await waited(20);
      await run("add", { a: 1, b: 2 });
    },
  });
  const approver = {
    ask: async () => {
      await waited(20);
      return { approved: true, scope: "once" } as const;
    },
  };
  const engine = createEngine({ tools: [slow, add], journal, approver });
  const usage = { model: "x/small", inputTokens: 10, outputTokens: 2, cost: 0.5 };
  await engine.run({ id: "1", name: "slow", input: {} }, { subject: "ada", usage });
  const [inner, outer] = await journal.list();
  assert.deepEqual([outer?.subject, outer?.usage], ["ada", usage]);
  // The model's answer asked for the outer call alone, on behalf of the same user.
  assert.deepEqual([inner?.callId, inner?.subject, inner?.usage], ["1.1", "ada", null]);
  const stages = outer?.trace?.stages ?? [];
  assert.deepEqual(
    stages.map(({ stage }) => stage).filter((stage) => stage === "approve" || stage === "execute"),
    ["approve", "execute"],
  );
  for (const [index, { from, to }] of stages.entries())
    assert.ok(to > from && from >= (stages[index - 1]?.to ?? 0), JSON.stringify(stages));
  assert.deepEqual(inner?.trace?.stages, undefined);
});

test("a cost that is not JSON is recorded as what it can be, and the call runs", async () => {
  const journal = createMemoryJournal();
  const usage = { model: "m", inputTokens: 1n, outputTokens: "2", cost: { a: 1 } } as never;
  const result = await createEngine({ tools: [add], journal }).run(call("add", { a: 1, b: 2 }), { usage });
  assert.equal(result.ok, true);
  assert.equal((await journal.list())[0]?.usage?.inputTokens, 1);
  assert.equal(
    codeOf(await createEngine({ tools: [add], journal }).run(call("add"), { usage: 5 as never })),
    "INVALID_INPUT",
  );
});

test("a call that cannot be recorded does not run", async () => {
  const entry: JournalEntry = {
    start: () => Promise.reject(new ToolError("UNAVAILABLE", "the disk is full")),
    settle: () => Promise.resolve(),
    suspend,
  };
  const journal: Journal = { ...REST, receive: () => entry };
  const tool = defineTool({ name: "t", description: "", risk: "low", run: () => assert.fail("ran") });
  assert.equal(codeOf(await createEngine({ tools: [tool], journal }).run(call("t"))), "UNAVAILABLE");
});

test("an answer that cannot be recorded is still returned, and the failure is reported", async () => {
  const entry: JournalEntry = {
    start: async () => undefined,
    settle: () => Promise.reject(new Error("disk full")),
    suspend,
  };
  const journal: Journal = { ...REST, receive: () => entry };
  const engine = createEngine({ tools: [add], journal });
  const events = eventsOf(engine);
  assert.equal(codeOf(await engine.run(call("add", { a: 1, b: 1 }))), "ok");
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(events.at(-1)?.type, "journal.failed");
});

test("no answer is returned before it is recorded", async () => {
  const stored = Promise.withResolvers<void>();
  const entry: JournalEntry = { start: async () => undefined, settle: () => stored.promise, suspend };
  const journal: Journal = { ...REST, receive: () => entry };
  const tool = defineTool({ name: "t", description: "", risk: "low", effects: "none", run: () => "done" });
  const engine = createEngine({ tools: [tool], journal });
  let isAnswered = false;
  const answered = engine.run(call("t")).then(() => (isAnswered = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isAnswered, false);
  stored.resolve();
  await answered;
});

const never = (): Promise<void> => new Promise(() => undefined);

test("a call does not wait longer for its journal than it may take: it does not run, or is answered all the same", async () => {
  let ran = 0;
  const tool = defineTool({ name: "t", description: "", risk: "low", run: () => (ran += 1) });
  const run = async (entry: Pick<JournalEntry, "start" | "settle">) => {
    const journal: Journal = { ...REST, receive: () => ({ ...entry, suspend }) };
    const engine = createEngine({ tools: [tool], journal, timeoutMs: 5 });
    const events = eventsOf(engine);
    const code = codeOf(await engine.run(call("t")));
    return [code, ran, events.some(({ type }) => type === "journal.failed")];
  };
  const done = async (): Promise<void> => undefined;
  assert.deepEqual(await run({ start: never, settle: done }), ["UNAVAILABLE", 0, true]);
  assert.deepEqual(await run({ start: done, settle: never }), ["ok", 1, true]);
});

test("a call that is cancelled while its journal records it does not run", async () => {
  const journal: Journal = {
    ...REST,
    receive: () => ({ start: never, settle: async () => undefined, suspend }),
  };
  const tool = defineTool({ name: "t", description: "", risk: "low", run: () => assert.fail("ran") });
  const engine = createEngine({ tools: [tool], journal });
  const stop = new AbortController();
  const answered = engine.run(call("t"), { signal: stop.signal });
  stop.abort();
  assert.equal(codeOf(await answered), "CANCELLED");
});

for (const [what, broken] of [
  ["receive", { receive: () => assert.fail("closed") }],
  [
    "start",
    { receive: () => ({ start: () => assert.fail("closed"), settle: async () => undefined, suspend }) },
  ],
  [
    "settle",
    { receive: () => ({ start: async () => undefined, settle: () => assert.fail("closed"), suspend }) },
  ],
] as const) {
  test(`a journal that throws at ${what} instead of rejecting loses no answer, and closing does not hang`, async () => {
    const journal: Journal = { ...REST, ...broken };
    const engine = createEngine({ tools: [add], journal });
    const events = eventsOf(engine);
    const result = await engine.run(call("add", { a: 1, b: 1 }));
    assert.equal(codeOf(result), what === "settle" ? "ok" : "UNAVAILABLE");
    assert.ok(events.some((event) => event.type === "journal.failed"));
    await engine.close();
  });
}

test("every call gets exactly one terminal answer, whatever happens to it", async () => {
  const fates = ["ok", "throw", "reject", "hang", "cancel", "unknown", "invalid", "denied"] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 12 }), async (wanted) => {
      const journal = createMemoryJournal();
      const controller = new AbortController();
      const tool = defineTool({
        name: "t",
        description: "",
        input: object({ fate: string() }),
        riskOf: ({ fate }) => (fate === "denied" ? "high" : "low"),
        run: ({ fate }) => {
          if (fate === "throw") throw new Error("thrown");
          if (fate === "reject") return Promise.reject(new Error("rejected"));
          if (fate === "cancel") queueMicrotask(() => controller.abort());
          return fate === "ok" ? "fine" : new Promise(() => undefined);
        },
      });
      const engine = createEngine({ tools: [tool], journal, timeoutMs: 5 });
      const calls = wanted.map((fate) =>
        call(fate === "unknown" ? "nope" : "t", fate === "invalid" ? {} : { fate }),
      );
      const results = await engine.runAll(calls, { parallel: "all", signal: controller.signal });
      assert.deepEqual(
        results.map(({ callId }) => callId),
        calls.map(({ id }) => id),
      );
      const records = await journal.list();
      assert.equal(records.length, calls.length);
      assert.ok(records.every(({ state, answer }) => state === "answered" && answer !== null));
    }),
    { numRuns: runs(40) },
  );
});
