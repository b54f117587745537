import assert from "node:assert/strict";
import { test } from "node:test";
import { openTranscripts } from "../../../agent/sessions/open-transcripts.ts";
import { createMemoryJournal } from "../../../store/in-memory.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import type { ServedEngine } from "../server/served.ts";
import { sessionHandlers } from "./sessions.ts";

test("an agent whose session is damaged is listed without figures, and hides no other", async () => {
  const collections = createMemoryCollections();
  const transcripts = openTranscripts(collections);
  const entries = collections.open("session-entries");
  for (const id of ["damaged", "whole"]) {
    await transcripts.open({ id, model: "scripted/x", workspace: "/w", agent: { id, name: id } });
    const usage = { inputTokens: 10, outputTokens: 2 };
    await transcripts.append(id, { kind: "usage", turn: 1, model: "scripted/x", usage });
    if (id === "damaged") for (const { key } of await entries.list()) await entries.set(key, "no entry");
  }
  await assert.rejects(transcripts.entries("damaged"));
  const handlers = sessionHandlers({
    store: { collections, journal: createMemoryJournal() },
    workspace: ["/w"],
    chats: { list: () => [] },
  } as unknown as ServedEngine);
  const listed = await handlers.agents({ query: {} } as Parameters<typeof handlers.agents>[0]);
  const figures = Object.fromEntries(listed.agents.map((one) => [one.id, one.figures?.inputTokens ?? null]));
  assert.deepEqual(figures, { damaged: null, whole: 10 });
});
