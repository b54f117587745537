import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { ToolError, type ErrorCode } from "../../src/core/errors.ts";
import type { Journal, JournalQuery, ReceivedCall } from "../../src/core/store/journal.ts";
import type { Success } from "../../src/core/result.ts";

export interface JournalUnderTest extends AsyncDisposable {
  readonly journal: Journal;
}

const NO_ORIGIN = { folder: null, subject: null, machine: null, usage: null };

/** The contract of every implementation of the journal. */
export function journalContract(name: string, open: () => Promise<JournalUnderTest>, numRuns = 40): void {
  describe(`journal contract: ${name}`, () => {
    test("a received call is listed as open, with its content", async () => {
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
    });

    test("a settled call is listed as answered, with its answer", async () => {
      await using kept = await open();
      const entry = kept.journal.receive(call("a"));
      await entry.start("unsafe");
      await entry.settle(answer("a", "5"));
      const [record] = await kept.journal.list();
      assert.equal(record?.state, "answered");
      assert.deepEqual(record.answer, answer("a", "5"));
    });

    test("a state that no call can have is refused, with the one that is meant", async () => {
      await using kept = await open();
      const refused = { code: "INVALID_INPUT", message: 'unknown state "opne"', hint: "did you mean open?" };
      await assert.rejects(kept.journal.list({ state: "opne" } as object), refused);
      await assert.rejects(kept.journal.list({ state: null } as object), { code: "INVALID_INPUT" });
    });

    test("a call may be settled without having started, and in the same turn as it was received", async () => {
      await using kept = await open();
      const entry = kept.journal.receive(call("a"));
      const settled = entry.settle(answer("a", "5"));
      await settled;
      assert.equal((await kept.journal.list())[0]?.state, "answered");
    });

    test("a call received, started and settled in one turn is stored completely", async () => {
      await using kept = await open();
      const entry = kept.journal.receive(call("a"));
      await Promise.all([entry.start("none"), entry.settle(answer("a", "5"))]);
      assert.deepEqual((await kept.journal.list())[0]?.answer, answer("a", "5"));
    });

    test("a suspended call waits until it is claimed, once, and is then answered as any other", async () => {
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
    });

    test("calls are found by position, parent, folder, outcome and text", async () => {
      await using kept = await open();
      const error = { code: "DENIED", message: "no" } as const;
      const failed = { ...answer("b", "Needle here"), ok: false, error } as const;
      await kept.journal.receive(call("a")).settle(answer("a", "one"));
      await kept.journal.receive(call("b", { name: "other", folder: "/work" })).settle(failed);
      kept.journal.receive(call("a.1"));
      kept.journal.receive(call("a.1.1"));
      kept.journal.receive(call("aX1"));
      // A second list: by then every call is in the database.
      const found = async (query: JournalQuery) =>
        (await kept.journal.list(query)).map(({ callId }) => callId);
      assert.deepEqual(await found({ parent: "a" }), ["a.1"]);
      assert.deepEqual(await found({ parent: "a*" }), []);
      assert.deepEqual(await found({ folder: "/work" }), ["b"]);
      assert.deepEqual(await found({ folder: "/wor" }), []);
      assert.deepEqual(await found({ outcome: "ok" }), ["a"]);
      assert.deepEqual(await found({ outcome: "failed" }), ["b"]);
      assert.deepEqual(await found({ outcome: "DENIED" }), ["b"]);
      assert.deepEqual(await found({ outcome: "CANCELLED" }), []);
      assert.deepEqual(await found({ text: "needle" }), ["b"]);
      assert.deepEqual(await found({ text: "OTHER" }), ["b"]);
      const positions = new Map((await kept.journal.list()).map((one) => [one.callId, one.position]));
      const at = positions.get("b") ?? Number.NaN;
      assert.deepEqual(await found({ before: at }), ["a"]);
      assert.deepEqual(await found({ after: at }), ["aX1", "a.1.1", "a.1"]);
      assert.deepEqual(await found({ after: at, limit: 1 }), ["aX1"]);
    });

    test("a second answer is refused and the first one stays", async () => {
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
    });

    test("one id used twice is two calls, each with its own answer", async () => {
      await using kept = await open();
      const first = kept.journal.receive(call("same"));
      const second = kept.journal.receive(call("same"));
      await second.settle(answer("same", "two"));
      await first.settle(answer("same", "one"));
      const records = await kept.journal.list({ callId: "same" });
      assert.deepEqual(
        records.map((record) => record.answer),
        [answer("same", "two"), answer("same", "one")],
      );
    });

    test("calls are listed newest first, filtered, up to the limit", async () => {
      await using kept = await open();
      const calls = [
        call("1", { name: "add", session: "x" }),
        call("2", { name: "multiply", session: "x" }),
        call("3", { name: "add" }),
        call("4", { name: "add", session: "x" }),
      ];
      const entries = calls.map((received) => kept.journal.receive(received));
      await entries[3]?.settle(answer("4", "done"));
      const ids = async (query: Parameters<Journal["list"]>[0]): Promise<string> =>
        (await kept.journal.list(query)).map((record) => record.callId).join("");
      assert.equal(await ids(undefined), "4321");
      assert.equal(await ids({ limit: 2 }), "43");
      assert.equal(await ids({ limit: 0 }), "");
      assert.equal(await ids({ name: "add" }), "431");
      assert.equal(await ids({ session: "x" }), "421");
      assert.equal(await ids({ state: "answered" }), "4");
      assert.equal(await ids({ state: "open", session: "x", name: "add" }), "1");
      assert.equal(await ids({ callId: "2" }), "2");
      assert.equal(await ids({ callId: "' OR 1 --" }), "");
    });

    test("stored calls do not change when the caller's objects do", async () => {
      await using kept = await open();
      const input = { list: [1] };
      const result = { ...answer("a", "5"), data: { list: [1] } };
      const entry = kept.journal.receive(call("a", { input }));
      input.list.push(2);
      const settled = entry.settle(result);
      result.data.list.push(2);
      await settled;
      const [record] = await kept.journal.list();
      assert.deepEqual(record?.input, { list: [1] });
      assert.deepEqual(record?.answer?.ok === true && record.answer.data, { list: [1] });
    });

    test("any JSON object or string is stored unchanged; anything else as descriptive text", async () => {
      await using kept = await open();
      const circular: Record<string, unknown> = {};
      circular["self"] = circular;
      const table: readonly (readonly [unknown, unknown])[] = [
        ["{broken", "{broken"],
        ["\u0000 \ud800 💥", "\u0000 \ud800 💥"],
        [{ constructor: { toString: 1 } }, { constructor: { toString: 1 } }],
        [null, null],
        [undefined, null],
        [[1, 2], "[1,2]"],
        [42, "42"],
        [true, "true"],
        [circular, "[not JSON: TypeError]"],
        [10n, "[not JSON: TypeError]"],
      ];
      for (const [input, expected] of table) {
        await kept.journal.receive(call("a", { input })).settle(answer("a", "5"));
        assert.deepEqual((await kept.journal.list({ limit: 1 }))[0]?.input, expected);
      }
    });

    test("an answer that is not JSON is refused, and the call can still be answered", async () => {
      await using kept = await open();
      const entry = kept.journal.receive(call("a"));
      const broken = { ...answer("a", "5"), data: 1n as unknown as number };
      await assert.rejects(async () => entry.settle(broken), { code: "INVALID_OUTPUT" satisfies ErrorCode });
      await entry.settle(answer("a", "5"));
      assert.deepEqual((await kept.journal.list())[0]?.answer, answer("a", "5"));
    });

    test("after close nothing is stored and every operation reports it; closing again is allowed", async () => {
      await using kept = await open();
      const entry = kept.journal.receive(call("a"));
      await kept.journal.close();
      const unavailable = { code: "UNAVAILABLE" satisfies ErrorCode };
      await assert.rejects(async () => entry.start("none"), unavailable);
      await assert.rejects(async () => entry.settle(answer("a", "5")), unavailable);
      await assert.rejects(async () => kept.journal.receive(call("b")).start("none"), unavailable);
      await assert.rejects(kept.journal.list(), unavailable);
      await kept.journal.close();
    });

    test("any mix of calls at once leaves each with the answer it was given", async () => {
      await using kept = await open();
      const plans = fc.array(
        fc.record({
          starts: fc.boolean(),
          waits: fc.boolean(),
          settles: fc.nat(2),
          session: fc.constantFrom("x", "y"),
        }),
        { maxLength: 30 },
      );
      let round = 0;
      await fc.assert(
        fc.asyncProperty(plans, async (calls) => {
          round += 1;
          const ids = calls.map((_, index) => `${round}/${index}`);
          const outcomes = await Promise.all(
            calls.map(async ({ starts, waits, settles, session }, index) => {
              const id = ids[index] ?? "";
              const entry = kept.journal.receive(call(id, { session }));
              const started = starts ? entry.start("idempotent") : undefined;
              if (waits) await started;
              const settled = Array.from({ length: settles }, async () => entry.settle(answer(id, session)));
              const [outcome] = await Promise.all([Promise.allSettled(settled), started]);
              return outcome;
            }),
          );
          for (const [index, settled] of outcomes.entries()) {
            const [record, ...others] = await kept.journal.list({ callId: ids[index] ?? "" });
            assert.equal(others.length, 0);
            const expected =
              settled.length === 0 ? null : answer(ids[index] ?? "", calls[index]?.session ?? "");
            assert.deepEqual(record?.answer, expected);
            assert.equal(record?.state, expected === null ? "open" : "answered");
            assert.equal(
              settled.filter(({ status }) => status === "fulfilled").length,
              Math.min(settled.length, 1),
            );
          }
        }),
        { numRuns },
      );
    });
  });
}

export function call(callId: string, parts: Partial<ReceivedCall> = {}): ReceivedCall {
  return { callId, name: "add", input: { left: 1, right: 2 }, session: undefined, receivedAt: 1, ...parts };
}

export function answer(callId: string, text: string): Success {
  return {
    callId,
    name: "add",
    ok: true,
    content: [{ type: "text", text }],
    meta: { startedAt: 1, durationMs: 2, place: "host", attempts: 1, source: "test" },
  };
}
