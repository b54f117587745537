import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import type { Approval, PendingCall } from "../../core/approval.ts";
import type { Hook } from "../../core/hook.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Journal } from "../../core/store/journal.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, string } from "../../schema/define/schema.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import { openStore } from "../../store/open-store.ts";
import { createEngine } from "../engine.ts";
import type { Engine } from "../types/engine.ts";
import type { EngineOptions } from "../types/options.ts";

const YES: Approval = { approved: true, scope: "once" };
const CALL = { id: "c", name: "send", input: { to: "ann" } };

function engineWith(journal: Journal | undefined, sent: string[], options: EngineOptions = {}): Engine {
  const send = defineTool({
    name: "send",
    description: "Sends a mail.",
    input: object({ to: string() }),
    run: ({ to }) => `sent ${sent.push(to)}`,
  });
  return createEngine({ tools: [send], ...(journal !== undefined && { journal }), ...options });
}

function asPending(result: ToolResult | PendingCall): PendingCall {
  return "pending" in result ? result : assert.fail(`answered: ${codeOf(result)}`);
}

async function suspended(engine: Engine, options = {}): Promise<PendingCall> {
  return asPending(await engine.run(CALL, { whenAsked: "return", ...options }));
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-resume-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a call that needs approval is returned as pending, and a decision runs it once and gives its one answer", async () => {
  const [journal, sent] = [createMemoryJournal(), [] as string[]];
  const engine = engineWith(journal, sent);
  const events = eventsOf(engine);
  const pending = await suspended(engine, { session: "s" });
  assert.deepEqual([pending.callId, pending.name, pending.request.input], ["c", "send", { to: "ann" }]);
  assert.deepEqual(sent, []);
  assert.equal((await journal.list({ state: "pending" })).length, 1);
  const answer = await engine.resume(pending.token, YES);
  assert.deepEqual([codeOf(answer), answer.callId, sent], ["ok", "c", ["ann"]]);
  assert.deepEqual(
    (await journal.list()).map(({ state, session }) => [state, session]),
    [["answered", "s"]],
  );
  // The one answer, however often it is asked for.
  assert.deepEqual(await engine.resume(pending.token, YES), answer);
  assert.deepEqual(await engine.resume(pending.token, { approved: false, reason: "no" }), answer);
  assert.deepEqual(sent, ["ann"]);
  assert.deepEqual(
    events.flatMap(({ type }) => (type.startsWith("hook") || type.startsWith("tool") ? [] : [type])),
    [
      "call.received",
      "call.judged",
      "approval.asked",
      "call.suspended",
      "call.judged",
      "approval.answered",
      "call.started",
      "call.answered",
    ],
  );
});

for (const [decision, text] of [
  [{ reason: "not today", declined: true }, "The user declined this call: not today. Nothing was run."],
  [{ reason: "not today" }, "The call was declined: not today. Nothing was run."],
] as const) {
  test(`a refusal is the answer, and nothing runs: ${text}`, async () => {
    const sent: string[] = [];
    const engine = engineWith(createMemoryJournal(), sent);
    const { token } = await suspended(engine);
    const answer = await engine.resume(token, { approved: false, ...decision });
    assert.equal(textOf(answer), `Error: ${text}`);
    assert.deepEqual(sent, []);
  });
}

test("resumptions at the same time are one: a double click gets the same answer twice", async () => {
  const sent: string[] = [];
  const engine = engineWith(createMemoryJournal(), sent);
  const { token } = await suspended(engine);
  const no: Approval = { approved: false, reason: "no" };
  const answers = await Promise.all([YES, YES, no, YES, YES].map((one) => engine.resume(token, one)));
  assert.deepEqual(sent, ["ann"]);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test("an edited input is validated and judged, and runs without a further question", async () => {
  const sent: string[] = [];
  const engine = engineWith(createMemoryJournal(), sent);
  const edited = await suspended(engine);
  assert.equal(codeOf(await engine.resume(edited.token, { ...YES, input: { to: "bob" } })), "ok");
  const invalid = await suspended(engine);
  assert.equal(codeOf(await engine.resume(invalid.token, { ...YES, input: {} })), "INVALID_INPUT");
  assert.deepEqual(sent, ["bob"]);
});

test("a lasting decision is saved, and later calls need none", async () => {
  const sent: string[] = [];
  const engine = engineWith(createMemoryJournal(), sent);
  const { token } = await suspended(engine, { session: "s" });
  await engine.resume(token, { approved: true, scope: "session" });
  const again = await engine.run(CALL, { session: "s", whenAsked: "return" });
  assert.equal("pending" in again, false);
  assert.equal("pending" in (await engine.run(CALL, { session: "t", whenAsked: "return" })), true);
});

test("calls that need no approval are answered, and runAll returns both kinds in order", async () => {
  const sent: string[] = [];
  const engine = engineWith(createMemoryJournal(), sent);
  engine.add(
    defineTool({ name: "look", description: "Looks.", risk: "low", effects: "none", run: () => "seen" }),
  );
  const results = await engine.runAll([CALL, { id: "2", name: "look", input: {} }, { ...CALL, id: "3" }], {
    whenAsked: "return",
  });
  assert.deepEqual(
    results.map((one) => ("pending" in one ? `pending ${one.callId}` : codeOf(one))),
    ["pending c", "ok", "pending 3"],
  );
});

const other = defineTool({
  name: "send",
  description: "Sends a mail.",
  input: object({ to: string(), cc: string() }),
  run: () => assert.fail("ran"),
});
const asking: Hook = { name: "h", on: ["before_tool"], run: () => ({ kind: "refuse", reason: "closed" }) };
for (const [what, change] of [
  ["another input schema", (engine: Engine) => engine.add(other, { replace: true })],
  ["no such tool", (engine: Engine) => engine.remove("send")],
] as const) {
  test(`a decision does not hold for a call with ${what}`, async () => {
    const sent: string[] = [];
    const engine = engineWith(createMemoryJournal(), sent);
    const { token } = await suspended(engine);
    change(engine);
    assert.equal((await engine.resume(token, YES)).ok, false);
    assert.deepEqual(sent, []);
  });
}

test("what denies the call by now holds: rules, modes and hooks are asked again", async (t) => {
  const folder = folderOf(t);
  const store = await openStore({ folder });
  const sent: string[] = [];
  const engine = engineWith(store.journal, sent);
  for (const stricter of [{ mode: "plan" }, { hooks: [asking] }] satisfies EngineOptions[]) {
    const { token } = await suspended(engine);
    assert.equal(codeOf(await engineWith(store.journal, sent, stricter).resume(token, YES)), "DENIED");
  }
  assert.deepEqual(sent, []);
  await store.close();
});

test("a suspended call outlives its store, and of many resumptions in other stores one runs it", async (t) => {
  const folder = folderOf(t);
  const sent: string[] = [];
  const first = await openStore({ folder });
  const { token } = await suspended(engineWith(first.journal, sent), { session: "s", timeoutMs: 60_000 });
  await first.close();
  const stores = await Promise.all([openStore({ folder }), openStore({ folder }), openStore({ folder })]);
  const [reader] = stores;
  assert.deepEqual(
    (await reader.journal.list()).map(({ state }) => state),
    ["pending"],
    "opening the store settles it not",
  );
  const outcomes = await Promise.all(
    stores.map(({ journal }) => engineWith(journal, sent).resume(token, YES)),
  );
  const answers = outcomes.filter((one) => codeOf(one) !== "UNAVAILABLE");
  assert.ok(answers.length >= 1);
  assert.deepEqual(sent, ["ann"]);
  for (const answer of answers) assert.equal(codeOf(answer), "ok");
  assert.deepEqual(await engineWith(reader.journal, sent).resume(token, YES), answers[0]);
  const records = await reader.journal.list();
  assert.deepEqual(
    records.map(({ state, session }) => [state, session]),
    [["answered", "s"]],
  );
  await Promise.all(stores.map((store) => store.close()));
});

for (const [what, token] of [
  ["no token", ""],
  ["another secret", "1-00000000-0000-4000-8000-000000000000"],
  ["a number without a call", "99-00000000-0000-4000-8000-000000000000"],
] as const) {
  test(`resuming ${what} is refused, and the call still waits`, async (t) => {
    const store = await openStore({ folder: folderOf(t) });
    const sent: string[] = [];
    for (const journal of [store.journal, createMemoryJournal()]) {
      const engine = engineWith(journal, sent);
      await suspended(engine);
      const answer = await engine.resume(token, YES);
      assert.equal(codeOf(answer), "INVALID_INPUT");
      assert.match(textOf(answer), /token/);
      assert.equal((await journal.list({ state: "pending" })).length, 1);
    }
    await store.close();
  });
}

test("an invalid decision, a cancelled request and a closed engine leave the call pending", async () => {
  const [journal, sent] = [createMemoryJournal(), [] as string[]];
  const engine = engineWith(journal, sent);
  const { token } = await suspended(engine);
  const invalid = await engine.resume(token, {} as Approval);
  assert.equal(codeOf(invalid), "INVALID_INPUT");
  assert.match(textOf(invalid), /approved/);
  assert.equal(codeOf(await engine.resume(token, YES, { signal: AbortSignal.abort() })), "CANCELLED");
  await engine.close();
  assert.equal(codeOf(await engine.resume(token, YES)), "CANCELLED");
  assert.equal(codeOf(await engineWith(journal, sent).resume(token, YES)), "ok");
});

test("a call that cannot be suspended is answered: without a journal, or with a secret in its input", async () => {
  const sent: string[] = [];
  const secret = { secrets: ["swordfish99"] };
  for (const [engine, input, reason] of [
    [engineWith(undefined, sent), { to: "ann" }, /no journal/],
    [engineWith(createMemoryJournal(), sent, secret), { to: "swordfish99" }, /has a secret/],
  ] as const) {
    const result = await engine.run({ ...CALL, input }, { whenAsked: "return" });
    assert.ok(!("pending" in result) && !result.ok);
    assert.equal(result.error.code, "UNAVAILABLE");
    assert.match(result.error.message, reason);
  }
  assert.deepEqual(sent, []);
});

test("calls that a tool makes are never suspended: without an approver they are denied", async () => {
  const sent: string[] = [];
  const engine = engineWith(createMemoryJournal(), sent);
  engine.add(
    defineTool({
      name: "outer",
      description: "Calls send.",
      risk: "low",
      run: async (_input, { run }) => codeOf(await run("send", { to: "ann" })),
    }),
  );
  const result = await engine.run({ id: "1", name: "outer", input: {} }, { whenAsked: "return" });
  assert.ok(!("pending" in result));
  assert.match(JSON.stringify(result.content), /DENIED/);
});
