import assert from "node:assert/strict";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openTranscripts } from "../../../agent/sessions/open-transcripts.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { removeOld } from "./remove-old.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const SESSION = { agent: { id: "a", name: "a" }, workspace: "/w", model: "m" };

test("sessions, reports and dumps are removed after the days to keep, and not before", async (context) => {
  const home = temporaryFolder(context);
  const store = join(home, "state");
  const collections = createMemoryCollections();
  const transcripts = openTranscripts(collections);
  const days = (count: number): number => Date.now() - count * DAY_MS;
  for (const [id, age] of [
    ["old", 91],
    ["young", 89],
  ] as const) {
    await transcripts.open({ ...SESSION, id });
    const stored = await collections.open("sessions").get(id);
    await collections.open("sessions").set(id, { ...(stored as object), updatedAt: days(age) });
    for (const folder of ["reports", "dumps"]) {
      mkdirSync(join(store, folder), { recursive: true });
      writeFileSync(join(store, folder, `${id}.md`), "");
      utimesSync(join(store, folder, `${id}.md`), days(age) / 1000, days(age) / 1000);
    }
  }
  await removeOld({ reports: join(store, "reports"), dumps: join(store, "dumps") }, 90, collections);
  assert.deepEqual(
    (await transcripts.list()).map(({ id }) => id),
    ["young"],
  );
  for (const folder of ["reports", "dumps"]) assert.deepEqual(readdirSync(join(store, folder)), ["young.md"]);
});
