import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answered, called, resultOf, results, said } from "../../../test/support/agents/messages.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Journal } from "../../core/store/journal.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import { openStore } from "../../store/open-store.ts";
import { settleCalls } from "./open-calls.ts";

function receive(journal: Journal, callId: string, session = "one") {
  return journal.receive({ callId, name: "look", input: {}, session, receivedAt: Date.now() });
}

describe("settleCalls", () => {
  it("is undefined if every call has its result", async () => {
    const whole = [said("a"), called({ id: "c1" }), results(resultOf("c1")), answered("b")];
    for (const messages of [[], [said("a")], whole, whole.slice(0, 3)]) {
      assert.equal(await settleCalls(messages, undefined), undefined);
    }
  });

  it("returns results from the journal in call order, and interrupted ones for the rest", async () => {
    const journal = createMemoryJournal();
    await receive(journal, "c2").settle(resultOf("c2", "from the journal"));
    void receive(journal, "c3").start("unsafe");
    const settled = await settleCalls([called({ id: "c1" }, { id: "c2" }, { id: "c3" })], journal, "one");
    assert.deepEqual(
      settled?.results.map(({ callId, ok }) => [callId, ok]),
      [
        ["c1", false],
        ["c2", true],
        ["c3", false],
      ],
    );
    assert.deepEqual(settled?.results[1]?.content, [{ type: "text", text: "from the journal" }]);
    const [lost] = settled?.results ?? [];
    assert.ok(lost?.ok === false);
    assert.equal(lost.error.code, "INTERRUPTED");
    assert.equal(lost.error.details?.["mayHaveHadEffects"], true);
  });

  it("only adds what is missing", async () => {
    const messages = [called({ id: "c1" }, { id: "c2" }), results(resultOf("c1")), said("are you there?")];
    const settled = await settleCalls(messages, undefined);
    assert.deepEqual(
      settled?.results.map(({ callId }) => callId),
      ["c2"],
    );
  });

  it("takes no result of another session, nor of an earlier call with the same id", async () => {
    const journal = createMemoryJournal();
    await receive(journal, "c1", "another").settle(resultOf("c1", "not ours"));
    const foreign = await settleCalls([called({ id: "c1" })], journal, "one");
    assert.equal(foreign?.results[0]?.ok, false);
    const earlier = resultOf("c1", "of the first call");
    await receive(journal, "c1").settle(earlier);
    const again = await settleCalls(
      [called({ id: "c1" }), results(earlier), called({ id: "c1" })],
      journal,
      "one",
    );
    assert.equal(again?.results[0]?.ok, false);
  });

  it("returns what the store knows about a call whose process died", async (t) => {
    const folder = temporaryFolder(t);
    const first = await openStore({ folder });
    await receive(first.journal, "c1").start("idempotent");
    await first.close();
    const second = await openStore({ folder });
    t.after(() => second.close());
    const settled = await settleCalls([called({ id: "c1" })], second.journal, "one");
    const [result] = settled?.results ?? [];
    assert.ok(result?.ok === false);
    assert.equal(result.error.hint, "it is safe to call it again with the same input");
  });
});
