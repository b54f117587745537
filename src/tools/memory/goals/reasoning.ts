import { randomId } from "../../../system/crypto.ts";
import { boolean, integer, nullable, object, string, type Infer } from "../../../schema/define/schema.ts";
import type { Collection, Collections } from "../../../core/store/collection.ts";
import { isObject } from "../../../core/json.ts";
import { scopedCollection } from "../../shared/collections.ts";
import { createDocumentReader, TEXT, withFields } from "../../../schema/document-reader.ts";

/** The collection of reasoning and its limit for all sessions. */
export const REASONING = { name: "reasoning", limit: 5000 } as const;
const MAX_CHARACTERS = 16_000;

export const reasoningData = object({
  // The agent's turn; null outside an agent.
  turn: nullable(integer()),
  text: string(),
  // The goal that was active.
  goalId: nullable(string()),
  traceId: nullable(string()),
  // Milliseconds since 1970.
  at: integer(),
  // It belongs to a completed goal.
  archived: boolean(),
});

export type Reasoning = Infer<typeof reasoningData>;

/** Stores the reasoning of a turn for read_reasoning. A long text is cut. */
export function recordReasoning(
  collections: Collections,
  session: string,
  reasoning: Omit<Reasoning, "archived">,
): Promise<void> {
  const collection = scopedCollection(collections.open(REASONING.name, REASONING), session);
  return addReasoning(collection, reasoning);
}

/** Like `recordReasoning`, for an open collection. */
export async function addReasoning(
  collection: Collection,
  { text, ...rest }: Omit<Reasoning, "archived">,
): Promise<void> {
  const isLong = text.length > MAX_CHARACTERS;
  const cutText = isLong
    ? `${text.slice(0, MAX_CHARACTERS).toWellFormed()}\n[cut after ${MAX_CHARACTERS} characters]`
    : text;
  // Keys sort by time, and within a millisecond by call order.
  const time = String(rest.at).padStart(15, "0");
  const key = `${time}-${String(process.hrtime.bigint()).padStart(20, "0")}-${randomId()}`;
  await collection.set(key, { ...rest, text: cutText, archived: false });
}

/** Returns the reasoning of a session, the oldest first. */
export async function listReasoning(collection: Collection): Promise<readonly Reasoning[]> {
  return (await collection.list()).flatMap(({ value }) => fromJson(value) ?? []);
}

/** Archives the reasoning that matches the test; it is then read only on request. */
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

const fromJson = createDocumentReader<Reasoning>(withFields({ text: TEXT }));
