import type { TestContext } from "node:test";
import type { EntryBody, NewSession, Transcripts } from "../../../src/agent/sessions/transcript.ts";
import type { Collections } from "../../../src/core/store/collection.ts";
import { ToolError } from "../../../src/core/errors.ts";
import { createMemoryCollections } from "../../../src/util/json/memory-collections.ts";
import type { Message } from "../../../src/core/agent/message.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A session to be opened. */
export const SESSION: NewSession = {
  id: "one",
  agent: { id: "agent-1", name: "Ada" },
  workspace: "/srv/project",
  model: "fake/model",
};

/** Both kinds of collections; each can be opened several times with the same data. */
export const PLACES = {
  "in memory": async () => {
    const collections = createMemoryCollections();
    return async () => collections;
  },
  "in SQLite": async (t: TestContext) => {
    const folder = temporaryFolder(t);
    return async () => {
      const store = await openStore({ folder });
      t.after(() => store.close());
      return store.collections;
    };
  },
} satisfies Record<string, (t: TestContext) => Promise<() => Promise<Collections>>>;

export function message(said: Message, turn = 1): EntryBody {
  return { kind: "message", turn, message: said };
}

/** Opens a session and writes these entries. */
export async function fill(
  transcripts: Transcripts,
  bodies: readonly EntryBody[],
  session = "one",
): Promise<void> {
  await transcripts.open({ ...SESSION, id: session });
  for (const body of bodies) await transcripts.append(session, body);
}

/** For `assert.rejects`. */
export function isError(code: string, text: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof ToolError && error.code === code && text.test(error.message);
}
