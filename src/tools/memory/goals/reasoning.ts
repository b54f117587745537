import { randomUUID } from "node:crypto";
import type { Collection, Collections } from "../../../core/store/collection.ts";
import type { Json } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { scopedCollection } from "../../shared/session-collection.ts";

/** Where reasoning is kept, and how much of all sessions. */
export const REASONING = { name: "reasoning", limit: 5000 } as const;
const MAX_CHARACTERS = 16_000;

// A type and not an interface, so that it counts as JSON.
export type Reasoning = {
  /** The agent's turn; null where nobody counts them. */
  readonly turn: number | null;
  readonly text: string;
  /** The goal that was active. */
  readonly goalId: string | null;
  readonly traceId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** It belongs to what is done with. */
  readonly archived: boolean;
};

/** Keeps what was reasoned in a turn of a session, for read_reasoning. A long text is cut. */
export function recordReasoning(
  collections: Collections,
  session: string,
  reasoning: Omit<Reasoning, "archived">,
): Promise<void> {
  return addReasoning(reasoningOf(collections, session), reasoning);
}

/** Like `recordReasoning`, into what the session keeps. */
export async function addReasoning(
  collection: Collection,
  { text, ...rest }: Omit<Reasoning, "archived">,
): Promise<void> {
  const isLong = text.length > MAX_CHARACTERS;
  const kept = isLong
    ? `${text.slice(0, MAX_CHARACTERS).toWellFormed()}\n[cut after ${MAX_CHARACTERS} characters]`
    : text;
  // Keys are listed in the order of time, and what is kept within the same millisecond in the order of the calls.
  const time = String(rest.at).padStart(15, "0");
  const key = `${time}-${String(process.hrtime.bigint()).padStart(20, "0")}-${randomUUID()}`;
  await collection.set(key, { ...rest, text: kept, archived: false });
}

/** What a session has reasoned, the oldest first. */
export async function listReasoning(collection: Collection): Promise<readonly Reasoning[]> {
  return (await collection.list()).flatMap(({ value }) => fromJson(value) ?? []);
}

/** Marks as done with what the test chooses: it is then read only where it is asked for. */
export async function archiveReasoning(
  collection: Collection,
  isDone: (reasoning: Reasoning) => boolean,
): Promise<void> {
  for (const { key, value } of await collection.list()) {
    const reasoning = fromJson(value);
    if (reasoning === undefined || reasoning.archived || !isDone(reasoning)) continue;
    await collection.update(key, (now) => (isObject(now) ? { ...now, archived: true } : now));
  }
}

function reasoningOf(collections: Collections, session: string): Collection {
  return scopedCollection(collections.open(REASONING.name, REASONING), session);
}

function fromJson(value: Json): Reasoning | undefined {
  return isObject(value) && typeof value["text"] === "string" ? (value as Reasoning) : undefined;
}
