import assert from "node:assert/strict";
import { ToolError } from "../../../../core/errors.ts";
import type { JournalQuery } from "../../../../core/store/journal.ts";
import { answer, call, type OpenJournal } from "./journal-calls.ts";
import type { Cases } from "./kit.ts";

const NO_ORIGIN = { folder: null, subject: null, machine: null, usage: null };

/** What every journal does with single calls. */
export const SINGLE_CALLS: Cases<OpenJournal> = {
  "a received call is listed as open, with its content": async ({ open }) => {
    await using kept = await open();
    kept.journal.receive(call("a", { session: "s", receivedAt: 12.5 }));
    const [{ position, ...listed } = { position: Number.NaN }, ...others] = await kept.journal.list();
    assert.ok(Number.isInteger(position));
    assert.deepEqual(
      [listed, ...others],
      [
        {
          callId: "a",
          name: "add",
          input: { left: 1, right: 2 },
          session: "s",
          ...NO_ORIGIN,
          state: "open",
          receivedAt: 12.5,
          startedAt: null,
          answer: null,
          trace: null,
        },
      ],
    );
  },

  "a settled call is listed as answered, with its answer": async ({ open }) => {
    await using kept = await open();
    const entry = kept.journal.receive(call("a"));
    await entry.start("unsafe");
    await entry.settle(answer("a", "5"));
    const [record] = await kept.journal.list();
    assert.equal(record?.state, "answered");
    assert.deepEqual(record.answer, answer("a", "5"));
  },

  "a state that no call can have is refused, with the one that is meant": async ({ open }) => {
    await using kept = await open();
    const refused = { code: "INVALID_INPUT", message: 'unknown state "opne"', hint: "did you mean open?" };
    await assert.rejects(kept.journal.list({ state: "opne" } as object), refused);
    await assert.rejects(kept.journal.list({ state: null } as object), { code: "INVALID_INPUT" });
  },

  "a call may be settled without having started, and in the same turn as it was received": async ({
    open,
  }) => {
    await using kept = await open();
    const entry = kept.journal.receive(call("a"));
    const settled = entry.settle(answer("a", "5"));
    await settled;
    assert.equal((await kept.journal.list())[0]?.state, "answered");
  },

  "a call received, started and settled in one turn is stored completely": async ({ open }) => {
    await using kept = await open();
    const entry = kept.journal.receive(call("a"));
    await Promise.all([entry.start("none"), entry.settle(answer("a", "5"))]);
    assert.deepEqual((await kept.journal.list())[0]?.answer, answer("a", "5"));
  },

  "a suspended call waits until it is claimed, once, and is then answered as any other": async ({ open }) => {
    await using kept = await open();
    const entry = kept.journal.receive(call("a", { session: "s" }));
    const token = await entry.suspend({ hash: "h", list: [1] });
    const states = async () => (await kept.journal.list()).map(({ state, answer }) => [state, answer]);
    assert.deepEqual(await states(), [["pending", null]]);
    assert.deepEqual(await kept.journal.list({ state: "open" }), []);
    assert.equal((await kept.journal.list({ state: "pending" })).length, 1);
    await assert.rejects(async () => entry.settle(answer("a", "no")), ToolError);
    await assert.rejects(entry.suspend({}), ToolError);
    const claims = await Promise.all([1, 2, 3].map(() => kept.journal.claim(token)));
    const entries = claims.flatMap((claimed) => claimed?.entry ?? []);
    assert.equal(entries.length, 1);
    for (const claimed of claims) {
      assert.deepEqual(claimed?.details, { hash: "h", list: [1] });
      assert.deepEqual([claimed.record.callId, claimed.record.session], ["a", "s"]);
    }
    assert.deepEqual(await states(), [["open", null]]);
    await entries[0]?.start("unsafe");
    await entries[0]?.settle(answer("a", "5"));
    assert.deepEqual(await states(), [["answered", answer("a", "5")]]);
    assert.deepEqual((await kept.journal.claim(token))?.record.answer, answer("a", "5"));
    assert.equal(await kept.journal.claim(`${token}0`), undefined);
  },

  "calls are found by position, parent, folder, outcome and text": async ({ open }) => {
    await using kept = await open();
    const error = { code: "DENIED", message: "no" } as const;
    const failed = { ...answer("b", "Needle here"), ok: false, error } as const;
    await kept.journal.receive(call("a")).settle(answer("a", "one"));
    await kept.journal.receive(call("b", { name: "other", folder: "/work" })).settle(failed);
    kept.journal.receive(call("a.1"));
    kept.journal.receive(call("a.1.1"));
    kept.journal.receive(call("aX1"));
    // A second list: by then every call is in the database.
    const listedIds = async (query: JournalQuery) =>
      (await kept.journal.list(query)).map(({ callId }) => callId);
    assert.deepEqual(await listedIds({ parent: "a" }), ["a.1"]);
    assert.deepEqual(await listedIds({ parent: "a*" }), []);
    assert.deepEqual(await listedIds({ folder: "/work" }), ["b"]);
    assert.deepEqual(await listedIds({ folder: "/wor" }), []);
    assert.deepEqual(await listedIds({ outcome: "ok" }), ["a"]);
    assert.deepEqual(await listedIds({ outcome: "failed" }), ["b"]);
    assert.deepEqual(await listedIds({ outcome: "failed_not_denied" }), []);
    assert.deepEqual(await listedIds({ outcome: "DENIED" }), ["b"]);
    assert.deepEqual(await listedIds({ outcome: "CANCELLED" }), []);
    assert.deepEqual(await listedIds({ text: "needle" }), ["b"]);
    assert.deepEqual(await listedIds({ text: "OTHER" }), ["b"]);
    const positions = new Map((await kept.journal.list()).map((one) => [one.callId, one.position]));
    const at = positions.get("b") ?? Number.NaN;
    assert.deepEqual(await listedIds({ before: at }), ["a"]);
    assert.deepEqual(await listedIds({ after: at }), ["aX1", "a.1.1", "a.1"]);
    assert.deepEqual(await listedIds({ after: at, limit: 1 }), ["aX1"]);
    const other = { ...answer("c", ""), ok: false, error: { code: "TOOL_FAILED", message: "" } } as const;
    await kept.journal.receive(call("c")).settle(other);
    assert.deepEqual(await listedIds({ outcome: "failed_not_denied" }), ["c"]);
    assert.deepEqual(await listedIds({ outcome: "failed" }), ["c", "b"]);
  },

  "a second answer is refused and the first one stays": async ({ open }) => {
    await using kept = await open();
    const entry = kept.journal.receive(call("a"));
    const first = entry.settle(answer("a", "first"));
    await assert.rejects(async () => entry.settle(answer("a", "at once")), ToolError);
    await first;
    await assert.rejects(async () => entry.settle(answer("a", "later")), ToolError);
    await assert.rejects(async () => entry.start("none"), ToolError);
    const records = await kept.journal.list();
    assert.deepEqual(
      records.map((record) => record.answer),
      [answer("a", "first")],
    );
  },
};
