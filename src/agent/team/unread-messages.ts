import type { Collection, Collections } from "../../core/store/collection.ts";
import { isObject, type Json } from "../../core/json.ts";
import { PRIORITIES, type TeamMessage } from "../../core/agent/team.ts";
import { createDocumentReader, NUMBER, TEXT, withFields } from "../../schema/document-reader.ts";
import { scopedCollection } from "../../tools/shared/collections.ts";
import { createSerializer } from "../../util/async/serialize.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import type { Message } from "../../core/agent/message.ts";
import type { ToolResult } from "../../core/result.ts";

/** Stores unread messages by the receiver's session, for the process that resumes it. */
export type UnreadMessages = ReturnType<typeof openUnreadMessages>;

/** How many messages are stored in total; the oldest are dropped. */
const MAX_STORED = 10_000;

/** Opens the stored messages; by default they are in memory. */
export function openUnreadMessages(collections: Collections = createMemoryCollections()) {
  const collection = collections.open("team-messages", { limit: MAX_STORED });
  const of = (session: string): Collection => scopedCollection(collection, session);
  // In order, so that no message is removed before it is added.
  const inOrder = createSerializer();
  return {
    add: (session: string, message: TeamMessage): Promise<void> =>
      inOrder(() => of(session).set(message.id, toJson(message))),
    remove: (session: string, message: TeamMessage): Promise<void> =>
      inOrder(async () => void (await of(session).delete(message.id))),
    async load(session: string): Promise<readonly TeamMessage[]> {
      const documents = await of(session).list();
      return documents.flatMap(({ value }) => readMessage(value) ?? []);
    },
    /** Settles when all earlier writes have ended; never rejects. */
    flush: (): Promise<void> => inOrder(async () => undefined),
  };
}

function toJson({ from, ...message }: TeamMessage): Json {
  return { ...message, from: { ...from } };
}

const readMessage = createDocumentReader<TeamMessage>(
  withFields({
    id: TEXT,
    from: withFields({ id: TEXT }),
    to: TEXT,
    type: TEXT,
    text: TEXT,
    priority: { enum: PRIORITIES },
    at: NUMBER,
  }),
);

/** Returns the ids of the team messages in a conversation: user messages, and results of `wait_for_message`. */
export function readMessageIds(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) => {
      if (message.role === "user") return message.from?.messageId ?? [];
      return message.role === "tool" ? message.results.flatMap(idsIn) : [];
    }),
  );
}

function idsIn(result: ToolResult): readonly string[] {
  if (!result.ok || result.name !== "wait_for_message" || !isObject(result.data)) return [];
  const { messages } = result.data;
  return Array.isArray(messages) ? (messages as readonly Json[]).flatMap(idOf) : [];
}

function idOf(message: Json): readonly string[] {
  const id = isObject(message) ? message["message_id"] : undefined;
  return typeof id === "string" ? [id] : [];
}
