import assert from "node:assert/strict";
import type { JournalQuery } from "../../../../core/store/journal.ts";
import { answer, call, type OpenJournal } from "./journal-calls.ts";
import type { Cases } from "./kit.ts";

/** What every journal records about a call beside its answer. */
export const ORIGIN: Cases<OpenJournal> = {
  "the trace of a call is stored beside its answer": async ({ open }) => {
    await using kept = await open();
    const trace = { verdict: { kind: "allow", reason: "low", rule: "mode.auto" }, risk: "low" } as const;
    await kept.journal.receive(call("a")).settle(answer("a", "5"), trace);
    const [record] = await kept.journal.list();
    assert.deepEqual(record?.answer, answer("a", "5"));
    assert.deepEqual(record.trace, trace);
  },

  "who made a call, where, and what it cost are stored with it, before and after its answer": async ({
    open,
  }) => {
    await using kept = await open();
    const usage = { model: "x/small", inputTokens: 12.5, outputTokens: 3, cost: 0.25 };
    const origin = { folder: "/work", subject: "ada", machine: "mill", usage };
    const entry = kept.journal.receive(call("a", { ...origin, session: "s" }));
    kept.journal.receive(call("b", { subject: "bob" }));
    const originsOf = async (query: JournalQuery) =>
      (await kept.journal.list(query)).map(({ folder, subject, machine, usage: cost }) => {
        return { folder, subject, machine, usage: cost };
      });
    assert.deepEqual(await originsOf({ subject: "ada" }), [origin]);
    await entry.start("none");
    assert.deepEqual(await originsOf({ callId: "a" }), [origin]);
    const ranOn = { worker: "w1", machine: "barn" };
    const stages = [{ stage: "execute", from: 1, to: 40 }];
    await entry.settle(answer("a", "5"), { stages, ranOn });
    assert.deepEqual(await originsOf({ subject: "ada", session: "s" }), [origin]);
    assert.deepEqual((await kept.journal.list({ callId: "a" }))[0]?.trace, { stages, ranOn });
    assert.deepEqual(await originsOf({ subject: "eve" }), []);
    const suspended = kept.journal.receive(call("c", origin));
    const token = await suspended.suspend({});
    const claimed = await kept.journal.claim(token);
    assert.deepEqual(claimed?.record.usage, usage);
    await claimed.entry?.settle(answer("c", "5"));
    assert.deepEqual(await originsOf({ callId: "c" }), [origin]);
  },
};
