import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answered, called, resultOf, results, said } from "../../../test/support/agents/messages.ts";
import { fill, isError, message, PLACES, SESSION } from "../../../test/support/agents/sessions.ts";
import { currentProcess } from "../../system/process/identity.ts";
import { currentGoals } from "../../tools/memory/goals/goals.ts";
import { scopedCollection } from "../../tools/shared/collections.ts";
import { openTranscripts } from "./open-transcripts.ts";
import type { EntryBody, Transcripts } from "./transcript.ts";

for (const [place, open] of Object.entries(PLACES)) {
  describe(`sessions ${place}`, () => {
    it("are read as they were written, numbered from 1 without gaps", async (t) => {
      const collections = await open(t);
      const image = {
        role: "user",
        content: [{ type: "image", data: "A".repeat(3_000_000), mimeType: "image/png" }],
      } as const;
      const bodies: readonly EntryBody[] = [
        message(said("Look at this \u{1F600}\n\u2028 <b>")),
        message(image),
        message(called({ id: "c1", input: { path: "a" } })),
        message(results(resultOf("c1"))),
        { kind: "compaction", summary: "so far", keptFrom: 3 },
        { kind: "instructions", parts: [{ name: "Role", text: "be kind" }], keepsHistory: true },
        { kind: "command", text: "/tool", output: "grep" },
        { kind: "state", state: "done", reason: "asked to" },
        {
          kind: "usage",
          turn: 2,
          model: "told/other",
          usage: { inputTokens: 3, outputTokens: 4 },
          cost: 0.5,
        },
      ];
      await fill(openTranscripts(await collections()), bodies);
      const again = openTranscripts(await collections());
      const { entries, info } = await again.open({ ...SESSION, model: "told/newer" });
      assert.deepEqual(
        entries.map(({ seq, at, ...body }) => [seq, typeof at, body]),
        bodies.map((body, index) => [index + 1, "number", body]),
      );
      assert.deepEqual(await again.entries("one"), entries);
      const { createdAt, updatedAt, ...facts } = info;
      assert.ok(updatedAt >= createdAt);
      assert.deepEqual(facts, {
        ...SESSION,
        title: "Look at this \u{1F600}",
        model: "told/other",
        state: "done",
        turns: 2,
      });
    });

    it("are listed with the last used first, by workspace and up to a limit", async (t) => {
      const transcripts = openTranscripts(await (await open(t))());
      for (const id of ["a", "b", "c"])
        await transcripts.open({ ...SESSION, id, workspace: id === "c" ? "/other" : "/srv" });
      t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 1000 });
      await transcripts.append("a", message(said("again")));
      const ids = async (options?: Parameters<Transcripts["list"]>[0]) =>
        (await transcripts.list(options)).map(({ id }) => id);
      assert.equal((await ids())[0], "a");
      assert.deepEqual((await ids()).toSorted(), ["a", "b", "c"]);
      assert.deepEqual(await ids({ workspace: "/other" }), ["c"]);
      assert.deepEqual(await ids({ limit: 1 }), ["a"]);
    });

    it("lose and mix nothing with two concurrent writers", async (t) => {
      const collections = await open(t);
      const [left, right] = [openTranscripts(await collections()), openTranscripts(await collections())];
      for (const one of [left, right]) await one.open(SESSION);
      const written = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          (index % 2 === 0 ? left : right).append("one", message(said(`m${index}`))),
        ),
      );
      const entries = await left.entries("one");
      assert.deepEqual(
        entries.map(({ seq }) => seq),
        Array.from({ length: 60 }, (_, index) => index + 1),
      );
      assert.deepEqual(
        written.toSorted((one, other) => one.seq - other.seq),
        entries,
        "each writer was told the number that its entry has",
      );
      assert.equal((await right.info("one"))?.updatedAt, Math.max(...entries.map(({ at }) => at)));
    });

    it("include entries of a process that ended before it updated the record", async (t) => {
      const collections = await (await open(t))();
      const transcripts = openTranscripts(collections);
      await fill(transcripts, [message(said("first"))]);
      const before = await collections.open("sessions").get("one");
      await transcripts.append("one", { kind: "state", state: "failed" });
      await collections.open("sessions").set("one", before ?? null);
      assert.equal((await transcripts.open(SESSION)).info.state, "failed");
      assert.equal((await transcripts.info("one"))?.state, "failed");
      assert.equal((await transcripts.append("one", { kind: "state", state: "idle" })).seq, 3);
    });

    it("are forked with all entries up to one, and are independent then", async (t) => {
      const transcripts = openTranscripts(await (await open(t))());
      await fill(transcripts, [
        message(said("hello")),
        message(answered("hi")),
        { kind: "state", state: "executing_tools" },
        message(said("bye"), 2),
      ]);
      const whole = await transcripts.fork("one");
      assert.deepEqual(whole.forkedFrom, { session: "one", seq: 4 });
      assert.deepEqual([whole.title, whole.turns, whole.state], ["hello", 2, "idle"]);
      assert.deepEqual(await transcripts.entries(whole.id), await transcripts.entries("one"));
      const half = await transcripts.fork("one", { at: 2 });
      await transcripts.append(half.id, message(said("another way")));
      assert.equal((await transcripts.entries(half.id)).length, 3);
      assert.equal((await transcripts.entries("one")).length, 4);
    });

    it("never separate a call from its result in a fork", async (t) => {
      const transcripts = openTranscripts(await (await open(t))());
      await fill(transcripts, [
        message(said("look")),
        message(called({ id: "c1" }, { id: "c2" })),
        { kind: "state", state: "executing_tools" },
        message(results(resultOf("c1"), resultOf("c2"))),
        message(called({ id: "c3" })),
      ]);
      const lengths = await Promise.all(
        [0, 1, 2, 3, 4, 5].map(
          async (at) => (await transcripts.entries((await transcripts.fork("one", { at })).id)).length,
        ),
      );
      assert.deepEqual(lengths, [0, 1, 1, 1, 4, 4]);
      for (const at of [-1, 6, 1.5, Number.NaN]) {
        await assert.rejects(transcripts.fork("one", { at }), isError("INVALID_INPUT", /no entry/));
      }
      await transcripts.open({ ...SESSION, id: "empty" });
      await assert.rejects(transcripts.fork("empty", { at: 1 }), { hint: "it has no entries" });
    });

    it("copy goals and decisions to a fork, but no later ones", async (t) => {
      const collections = await (await open(t))();
      const transcripts = openTranscripts(collections);
      await fill(transcripts, [message(said("a")), message(said("b"))]);
      const at = (await transcripts.entries("one"))[0]?.at ?? 0;
      const decision = (id: string, time: number) => ({
        id,
        description: id,
        rationale: "so",
        alternatives: [],
        locked: false,
        goalId: null,
        at: time,
      });
      await scopedCollection(collections.open("goals"), "one").set("all", {
        goals: [],
        decisions: [decision("early", at), decision("late", at + 1000)],
      });
      const decisions = async (options: { readonly at?: number }) => {
        const { id } = await transcripts.fork("one", options);
        return (await currentGoals(collections, id)).decisions.map((one) => one.id);
      };
      assert.deepEqual(await decisions({}), ["early", "late"]);
      assert.deepEqual(await decisions({ at: 1 }), ["early"]);
    });

    it("are deleted with all their data, and can be created again with the same id", async (t) => {
      const collections = await (await open(t))();
      const transcripts = openTranscripts(collections);
      await fill(transcripts, [message(said("secret"))]);
      await fill(transcripts, [message(said("stays"))], "two");
      await scopedCollection(collections.open("reasoning"), "one").set("k", { text: "secret", at: 1 });
      assert.equal(await transcripts.delete("one"), true);
      assert.equal(await transcripts.delete("one"), false);
      assert.equal(await transcripts.info("one"), undefined);
      assert.deepEqual(await transcripts.entries("one"), []);
      for (const name of ["sessions", "session-entries", "reasoning"]) {
        assert.doesNotMatch(JSON.stringify(await collections.open(name).list()), /secret/);
      }
      await assert.rejects(
        transcripts.append("one", message(said("late"))),
        isError("INVALID_INPUT", /unknown session one/),
      );
      assert.equal((await transcripts.entries("two")).length, 1);
      assert.deepEqual((await transcripts.open(SESSION)).entries, []);
      assert.equal((await transcripts.append("one", message(said("new")))).seq, 1);
    });

    it("have the first line that was typed as their title, without what is attached", async (t) => {
      const transcripts = openTranscripts(await (await open(t))());
      const content = ["what is @a.png", "a.png (image/png, 9 bytes)"].map(
        (text) => ({ type: "text", text }) as const,
      );
      await fill(transcripts, [message({ role: "user", content })]);
      assert.equal((await transcripts.info("one"))?.title, "what is @a.png");
    });

    it("have the title that they were given, also after later messages and when they are opened again", async (t) => {
      const again = await open(t);
      const transcripts = openTranscripts(await again());
      await fill(transcripts, [message(said("the first message"))]);
      await transcripts.rename("one", `  fix the sum ${"x".repeat(200)}\nsecond line`);
      await transcripts.append("one", message(said("more")));
      const { title = "" } = (await openTranscripts(await again()).info("one")) ?? {};
      assert.match(title, /^fix the sum x+…$/);
      assert.ok(title.length <= 120);
      await assert.rejects(transcripts.rename("one", " \n "), isError("INVALID_INPUT", /empty/));
      await assert.rejects(transcripts.rename("none", "x"), isError("INVALID_INPUT", /unknown session none/));
    });

    it("are not deleted while they are open in another process", async (t) => {
      const collections = await (await open(t))();
      const transcripts = openTranscripts(collections);
      await fill(transcripts, [message(said("stays"))]);
      const owner = { ...currentProcess(), pid: process.ppid, start: null, token: "theirs" };
      await collections.open("session-owners").set("one", owner);
      const refused = isError("UNAVAILABLE", /the session one is open in another process/);
      await assert.rejects(transcripts.delete("one"), refused);
      assert.equal((await transcripts.entries("one")).length, 1);
    });

    it("are not resumed if a process ended while deleting them", async (t) => {
      const collections = await (await open(t))();
      const transcripts = openTranscripts(collections);
      await fill(transcripts, [message(said("half gone")), message(said("left"))]);
      await collections
        .open("sessions")
        .update("one", (value) => ({ ...(value as object), isDeleted: true }));
      assert.equal(await transcripts.info("one"), undefined);
      assert.deepEqual(await transcripts.list(), []);
      await assert.rejects(
        transcripts.append("one", message(said("x"))),
        isError("INVALID_INPUT", /unknown session/),
      );
      assert.deepEqual((await transcripts.open(SESSION)).entries, []);
      assert.deepEqual(await collections.open("session-entries").list(), []);
    });
  });
}
