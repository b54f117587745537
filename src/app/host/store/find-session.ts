import { openTranscripts } from "../../../agent/sessions/open-transcripts.ts";
import type { SessionInfo, Transcripts } from "../../../agent/sessions/transcript.ts";
import { ToolError } from "../../../core/errors.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { openPresentStore } from "./open-configured-store.ts";

const LEAST_CHARACTERS = 8;

/** Works with the stored sessions of a config, of which there are none without a store, and closes the store. */
export async function withTranscripts<T>(
  config: ConfigGroups<"storage" | "paths" | "fleet">,
  work: (transcripts: Transcripts) => Promise<T>,
): Promise<T> {
  await using store = await openPresentStore(config);
  return await work(openTranscripts(store?.collections ?? createMemoryCollections()));
}

/** Finds a session by its id or a unique prefix of it. Throws if there is none, or more than one. */
export async function findSession(transcripts: Transcripts, word: string): Promise<SessionInfo> {
  const all = await transcripts.list();
  const exact = all.find(({ id }) => id === word);
  if (exact !== undefined) return exact;
  const begun = word === "" ? [] : all.filter(({ id }) => id.startsWith(word));
  const [only, ...others] = begun;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) {
    const firsts = begun.slice(0, 5).map(({ id }) => id);
    throw new ToolError("INVALID_INPUT", `"${word}" is the beginning of ${begun.length} sessions`, {
      hint: `write more of it: ${firsts.join(", ")}`,
    });
  }
  const ids = all.map(({ id }) => id);
  throw unknownName(
    `no stored session has the id "${word}"`,
    word,
    ids,
    "toolwright sessions --all lists them",
  );
}

/** Returns the id of the conversation that was used last in a workspace. Sessions of subagents and those without a message do not count. Throws if there is none. */
export async function lastConversation(transcripts: Transcripts, workspace: string): Promise<string> {
  const stored = await transcripts.list({ workspace });
  const last = stored.find(({ agent, title }) => agent.parentId === undefined && title !== "");
  if (last !== undefined) return last.id;
  throw new ToolError("INVALID_INPUT", "no conversation is stored for this folder", {
    hint: "leave out --continue, or see toolwright sessions --all",
  });
}

/** Returns the shortest unique prefix of each id. */
export function shortIds(ids: readonly string[]): readonly string[] {
  const sorted = ids.toSorted();
  const shared = new Map<string, number>();
  for (const [index, id] of sorted.entries()) {
    const next = sorted[index + 1] ?? "";
    const same = commonLength(id, next);
    shared.set(id, Math.max(shared.get(id) ?? 0, same));
    shared.set(next, same);
  }
  return ids.map((id) => id.slice(0, Math.max(LEAST_CHARACTERS, (shared.get(id) ?? 0) + 1)));
}

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}
