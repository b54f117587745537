import assert from "node:assert/strict";
import type { ErrorCode } from "../../../../core/errors.ts";
import type { Journal } from "../../../../core/store/journal.ts";
import { answer, call, runPlan, type OpenJournal } from "./journal-calls.ts";
import { dispose, registerCases, type Cases, type ContractOptions } from "./kit.ts";
import { SINGLE_CALLS } from "./journal-cases.ts";
import { ORIGIN } from "./journal-origin.ts";
import { createRandom } from "./random.ts";

/**
 * Registers the contract of every journal as tests: each creates a journal without calls. Experimental: cases may be added in a minor version.
 */
export function testJournal(
  create: () => Promise<Journal & Partial<AsyncDisposable>>,
  options: ContractOptions = {},
): void {
  const open: OpenJournal = async () => {
    const journal = await create();
    return { journal, [Symbol.asyncDispose]: () => dispose(journal) };
  };
  registerCases({ ...SINGLE_CALLS, ...MANY_CALLS, ...ORIGIN }, open, options);
}

const MANY_CALLS: Cases<OpenJournal> = {
  "one id used twice is two calls, each with its own answer": async ({ open }) => {
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
  },

  "calls are listed newest first, filtered, up to the limit": async ({ open }) => {
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
  },

  "stored calls do not change when the caller's objects do": async ({ open }) => {
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
  },

  "any JSON object or string is stored unchanged; anything else as descriptive text": async ({ open }) => {
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
  },

  "an answer that is not JSON is refused, and the call can still be answered": async ({ open }) => {
    await using kept = await open();
    const entry = kept.journal.receive(call("a"));
    const broken = { ...answer("a", "5"), data: 1n as unknown as number };
    await assert.rejects(async () => entry.settle(broken), { code: "INVALID_OUTPUT" satisfies ErrorCode });
    await entry.settle(answer("a", "5"));
    assert.deepEqual((await kept.journal.list())[0]?.answer, answer("a", "5"));
  },

  "after close nothing is stored and every operation reports it; closing again is allowed": async ({
    open,
  }) => {
    await using kept = await open();
    const entry = kept.journal.receive(call("a"));
    await kept.journal.close();
    const unavailable = { code: "UNAVAILABLE" satisfies ErrorCode };
    await assert.rejects(async () => entry.start("none"), unavailable);
    await assert.rejects(async () => entry.settle(answer("a", "5")), unavailable);
    await assert.rejects(async () => kept.journal.receive(call("b")).start("none"), unavailable);
    await assert.rejects(kept.journal.list(), unavailable);
    await kept.journal.close();
  },

  "any mix of calls at once leaves each with the answer it was given": async ({ open, runs }) => {
    await using kept = await open();
    const random = createRandom(1);
    for (let round = 0; round < runs; round += 1) {
      const plans = random.list(30, () => random.upTo(23));
      const settled = await Promise.all(
        plans.map((plan, index) => runPlan(kept.journal, `${round}/${index}`, plan)),
      );
      for (const [index, count] of settled.entries()) {
        const id = `${round}/${index}`;
        const [record, ...others] = await kept.journal.list({ callId: id });
        assert.equal(others.length, 0);
        assert.deepEqual(record?.answer, count === 0 ? null : answer(id, id));
        assert.equal(record?.state, count === 0 ? "open" : "answered");
      }
    }
  },
};
