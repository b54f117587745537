import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { join } from "node:path";
import { said } from "../../../test/support/agents/messages.ts";
import { fill, isError, message, PLACES, SESSION } from "../../../test/support/agents/sessions.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Collections } from "../../core/store/collection.ts";
import { openDatabase } from "../../store/database/database.ts";
import { openStore } from "../../store/open-store.ts";
import { openTranscripts } from "./open-transcripts.ts";

for (const [place, open] of Object.entries(PLACES)) {
  describe(`damaged sessions ${place}`, () => {
    it("report a missing or invalid entry, and can be forked before it", async (t) => {
      const damages: readonly ((
        key: string,
        entries: ReturnType<Collections["open"]>,
      ) => Promise<unknown>)[] = [
        (key, entries) => entries.delete(key),
        (key, entries) =>
          entries.set(key, { kind: "message", seq: 2, at: 1, turn: 1, message: { role: "user" } }),
        (key, entries) => entries.set(key, { kind: "unheard of", seq: 2, at: 1 }),
        (key, entries) => entries.set(key, "torn"),
      ];
      const collections = await (await open(t))();
      const transcripts = openTranscripts(collections);
      for (const [index, damage] of damages.entries()) {
        const id = `damaged-${index}`;
        await fill(transcripts, [message(said("a")), message(said("b")), message(said("c"))], id);
        const log = collections.open("session-entries");
        const keys = (await log.list()).map(({ key }) => key).filter((key) => key.endsWith("02"));
        await damage(keys.at(-1) ?? "", log);
        if ((await log.list()).length === 0) throw new Error("nothing is left");
        const unreadable = isError(
          "UNAVAILABLE",
          new RegExp(`${id} cannot be read: entry 2 is missing or damaged`),
        );
        await assert.rejects(transcripts.entries(id), unreadable);
        await assert.rejects(transcripts.open({ ...SESSION, id }), unreadable);
        assert.equal((await transcripts.fork(id, { at: 1 })).forkedFrom?.seq, 1);
        assert.equal(await transcripts.delete(id), true);
        for (const { id: left } of await transcripts.list()) await transcripts.delete(left);
        assert.deepEqual(await log.list(), []);
      }
    });

    it("report an unreadable session, which can be removed", async (t) => {
      const collections = await (await open(t))();
      const transcripts = openTranscripts(collections);
      await collections.open("sessions").set("one", { id: "one" });
      await assert.rejects(transcripts.list(), isError("UNAVAILABLE", /session one cannot be read/));
      await assert.rejects(transcripts.open(SESSION), isError("UNAVAILABLE", /session one cannot be read/));
      assert.equal(await transcripts.delete("one"), true);
      assert.deepEqual(await transcripts.list(), []);
    });
  });
}

it("an entry that was half written to the database is reported and never misread", async (t) => {
  const folder = temporaryFolder(t);
  const store = await openStore({ folder });
  t.after(() => store.close());
  const transcripts = openTranscripts(store.collections);
  await fill(transcripts, [message(said("a")), message(said("b")), message(said("c"))]);
  const database = await openDatabase(join(folder, "toolwright.db"));
  database.exec(
    "UPDATE documents SET value = substr(value, 1, 30) WHERE collection = 'session-entries' AND key LIKE '%2'",
  );
  database.close();
  await assert.rejects(transcripts.entries("one"), isError("UNAVAILABLE", /entry 2 is missing or damaged/));
  assert.equal((await transcripts.fork("one", { at: 1 })).forkedFrom?.seq, 1);
  assert.equal(await transcripts.delete("one"), true);
});
