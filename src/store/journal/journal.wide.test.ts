import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import * as fc from "fast-check";
import { answer, call } from "../../app/host/testing/contracts/journal-calls.ts";
import { countChanges, journalFolder, openJournal } from "../../../test/support/engines/journal.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { JournalEntry } from "../../core/store/journal.ts";
import type { Effects } from "../../core/spec.ts";
import { openDatabase } from "../database/database.ts";
import { createSqliteJournal } from "./journal.ts";
import { runs } from "../../../test/support/property-runs.ts";

const UNAVAILABLE = { code: "UNAVAILABLE" satisfies ErrorCode };

test("the changes of one turn are one write per call", async (context) => {
  const { database, journal } = await openJournal(context);
  const changes = countChanges(database);
  const entries = Array.from({ length: 64 }, (_, index) => journal.receive(call(`${index}`)));
  await Promise.all(entries.map(async (entry) => entry.start("unsafe")));
  assert.equal(changes(), 64, "received and started: one insert");
  await Promise.all(entries.map(async (entry, index) => entry.settle(answer(`${index}`, "done"))));
  assert.equal(changes(), 64, "settled: one update");
});

test("a call is stored before start resolves, and its answer before settle resolves", async (context) => {
  const { path, journal } = await openJournal(context);
  const other = await openDatabase(path);
  context.after(() => other.close());
  const row = (): unknown => other.prepare("SELECT effects, state FROM calls").get();
  const entry = journal.receive(call("a"));
  await entry.start("idempotent");
  assert.deepEqual({ ...(row() as object) }, { effects: "idempotent", state: "open" });
  await entry.settle(answer("a", "done"));
  assert.deepEqual({ ...(row() as object) }, { effects: "idempotent", state: "answered" });
});

test("an answer that another process has already given is not replaced", async (context) => {
  const { path, journal } = await openJournal(context);
  const entry = journal.receive(call("a"));
  await entry.start("unsafe");
  const other = await openDatabase(path);
  const theirs = answer("a", "theirs");
  other.prepare("UPDATE calls SET state = 'interrupted', answer = ?").run(JSON.stringify(theirs));
  other.close();
  await assert.rejects(async () => entry.settle(answer("a", "ours")), { name: "ToolError" });
  await assert.rejects(async () => entry.settle(answer("a", "ours again")), { name: "ToolError" });
  assert.deepEqual((await journal.list())[0]?.answer, theirs);
});

test("a call whose bytes were damaged on the disk says so, and hides no other call", async (context) => {
  const { path, journal } = await openJournal(context);
  for (const id of ["a", "b", "c", "d"]) {
    const entry = journal.receive(call(id));
    await entry.start("none");
    await entry.settle(answer(id, id));
  }
  await journal.list();
  const other = await openDatabase(path);
  other.exec("UPDATE calls SET input = 'x' || substr(input, 2) WHERE call_id = 'b'");
  other.exec("UPDATE calls SET answer = substr(answer, 2) WHERE call_id = 'c'");
  // It is JSON, and no answer.
  other.exec(`UPDATE calls SET answer = replace(answer, '"ok"', '"oj"') WHERE call_id = 'd'`);
  other.close();
  const [d, c, b, a] = await journal.list();
  assert.deepEqual([a?.answer?.ok, b?.answer?.ok, typeof b?.input], [true, true, "string"]);
  for (const damaged of [c, d]) {
    assert.ok(damaged?.answer?.ok === false);
    assert.match(damaged.answer.error.message, /the stored answer of add is damaged/);
    assert.match(damaged.answer.error.hint ?? "", /toolwright store check/);
  }
});

test("while another process holds the lock a write waits, and is stored once the lock is released", async (context) => {
  const { path, journal } = await openJournal(context);
  const other = await openDatabase(path);
  context.after(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  const entry = journal.receive(call("a"));
  const started = entry.start("unsafe");
  // This timer only runs if waiting for the lock leaves the process free.
  setTimeout(() => other.exec("COMMIT"), 60);
  await started;
  assert.equal((await journal.list({ state: "open" })).length, 1);
});

test("after the time limit every waiting promise rejects, and the writes can be retried", async (context) => {
  const { path, journal } = await openJournal(context, { lockTimeoutMs: 30 });
  const other = await openDatabase(path);
  context.after(() => other.close());
  const early = journal.receive(call("early"));
  await early.start("unsafe");
  other.exec("BEGIN IMMEDIATE");
  const late = journal.receive(call("late"));
  const outcomes = await Promise.allSettled([early.settle(answer("early", "no")), late.start("unsafe")]);
  for (const outcome of outcomes) {
    assert.equal(outcome.status, "rejected");
    assert.equal(outcome.reason.code, "UNAVAILABLE");
    assert.match(outcome.reason.hint, /lock/);
  }
  other.exec("ROLLBACK");

  await early.settle(answer("early", "yes"));
  await late.settle(answer("late", "yes"));
  const records = await journal.list();
  assert.deepEqual(
    records.map(({ answer }) => answer),
    [answer("late", "yes"), answer("early", "yes")],
  );
});

test("a start that was not stored leaves the call as not started", async (context) => {
  const { database, journal } = await openJournal(context);
  const entry = journal.receive(call("a"));
  await journal.list();
  database.exec("PRAGMA query_only = ON");
  await assert.rejects(async () => entry.start("unsafe"), UNAVAILABLE);
  database.exec("PRAGMA query_only = OFF");
  await entry.settle(answer("a", "refused"));
  assert.equal(database.prepare("SELECT effects FROM calls").get()?.["effects"], null);
});

test("a full disk rejects waiting writes, and calls are stored again once there is room", async (context) => {
  const { database, journal } = await openJournal(context);
  const pages = Number(database.prepare("PRAGMA page_count").get()?.["page_count"]);
  database.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const big = { ...call("big"), input: "x".repeat(1_000_000) };
  const entry = journal.receive(big);
  await assert.rejects(async () => entry.start("unsafe"), { ...UNAVAILABLE, hint: /free space/ });
  database.exec("PRAGMA max_page_count = 1000000");
  await entry.settle(answer("big", "kept"));
  assert.deepEqual((await journal.list())[0]?.answer, answer("big", "kept"));
});

test("a call that cannot be stored does not fail the others of its turn", async (context) => {
  const { journal } = await openJournal(context);
  const good = journal.receive(call("good"));
  const bad = journal.receive(call("bad", { receivedAt: Number.NaN }));
  const also = journal.receive(call("also"));
  const outcomes = await Promise.allSettled([good, bad, also].map(async (entry) => entry.start("unsafe")));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  const records = await journal.list();
  assert.deepEqual(
    records.map(({ callId }) => callId),
    ["also", "good"],
  );
});

test("after the database is closed every operation reports it", async (context) => {
  const { database, journal } = await openJournal(context);
  const entry = journal.receive(call("a"));
  await entry.start("none");
  database.close();
  await assert.rejects(async () => entry.settle(answer("a", "lost")), UNAVAILABLE);
  await assert.rejects(journal.list(), UNAVAILABLE);
  await assert.rejects(journal.close(), UNAVAILABLE);
  await assert.rejects(createSqliteJournal(database), { name: "ToolError" });
});

test("closing stores pending writes and settles open calls", async (context) => {
  const { path, journal } = await openJournal(context);
  const [settled, open] = [journal.receive(call("settled")), journal.receive(call("open"))];
  const kept = settled.settle(answer("settled", "done"));
  const started = open.start("unsafe");
  await journal.close();
  await Promise.all([kept, started]);

  const other = await openDatabase(path);
  const reopened = await createSqliteJournal(other);
  const [second, first] = await reopened.list();
  assert.deepEqual([first?.state, second?.state], ["answered", "interrupted"]);
  assert.equal(second?.answer?.ok === false && second.answer.error.details?.["mayHaveHadEffects"], true);
  await reopened.close();
  other.close();
});

test("a second journal of the same process does not settle the open calls of the first", async (context) => {
  const { path, journal } = await openJournal(context);
  const entry = journal.receive(call("a"));
  await entry.start("unsafe");
  const other = await openDatabase(path);
  const second = await createSqliteJournal(other);
  assert.equal((await second.list())[0]?.state, "open");
  await second.close();
  other.close();
  await entry.settle(answer("a", "mine"));
  assert.deepEqual((await journal.list())[0]?.answer, answer("a", "mine"));
});

test("calls of a process from another boot, or whose pid was reused, are settled", async (context) => {
  const { path, database, journal } = await openJournal(context);
  for (const change of ["boot = 'another'", "start = '1'"]) {
    await journal.receive(call(change)).start("unsafe");
    database.exec(`UPDATE owners SET ${change}`);
    const other = await openDatabase(path);
    const second = await createSqliteJournal(other);
    assert.equal((await second.list({ callId: change }))[0]?.state, "interrupted", change);
    await second.close();
    other.close();
  }
});

type Step =
  | { readonly kind: "receive" }
  | { readonly kind: "start"; readonly at: number; readonly effects: Effects }
  | { readonly kind: "settle"; readonly at: number }
  | { readonly kind: "list" | "reopen" };

test("after any sequence of steps each call has at most one answer, and after closing exactly one", async (context) => {
  const folder = await journalFolder(context);
  const at = fc.nat(9);
  const effects = fc.constantFrom<Effects>("none", "own-state", "idempotent", "unsafe");
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.constant({ kind: "receive" } as const),
    fc.record({ kind: fc.constant("start" as const), at, effects }),
    fc.record({ kind: fc.constant("settle" as const), at }),
    fc.constantFrom({ kind: "list" } as const, { kind: "reopen" } as const),
  );
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      round += 1;
      await followSteps(join(folder, `${round}.db`), steps);
    }),
    { numRuns: runs(40) },
  );
});

async function followSteps(path: string, steps: readonly Step[]): Promise<void> {
  let database = await openDatabase(path);
  let journal = await createSqliteJournal(database);
  const entries: JournalEntry[] = [];
  const accepted: string[] = [];
  const waits: Promise<unknown>[] = [];
  for (const [index, step] of steps.entries()) {
    if (step.kind === "receive") entries.push(journal.receive(call(`${entries.length}`)));
    if (step.kind === "list") await journal.list();
    if (step.kind === "start") waits.push(ignore(async () => entries[step.at]?.start(step.effects)));
    if (step.kind === "settle") {
      const settle = async (): Promise<void> => {
        if (entries[step.at] === undefined) return;
        await entries[step.at]?.settle(answer(`${step.at}`, `${index}`));
        accepted.push(`${step.at}:${index}`);
      };
      waits.push(ignore(settle));
    }
    if (step.kind === "reopen") {
      await journal.close();
      database.close();
      database = await openDatabase(path);
      journal = await createSqliteJournal(database);
    }
  }
  await Promise.all(waits);
  await journal.close();
  database.close();

  database = await openDatabase(path);
  journal = await createSqliteJournal(database);
  const records = await journal.list();
  assert.equal(records.length, entries.length);
  const answered = records.filter(({ state }) => state === "answered");
  assert.equal(records.filter(({ state }) => state === "open").length, 0);
  for (const { callId, answer } of records) assert.equal(answer?.callId, callId);
  const kept = answered.map(({ callId, answer }) => {
    const [content] = answer?.content ?? [];
    return `${callId}:${content?.type === "text" ? content.text : ""}`;
  });
  assert.deepEqual(kept.toSorted(byText), accepted.toSorted(byText));
  await journal.close();
  database.close();
}

function byText(left: string, right: string): number {
  return left < right ? -1 : 1;
}

async function ignore(work: () => Promise<unknown>): Promise<void> {
  await work().catch(() => undefined);
}
