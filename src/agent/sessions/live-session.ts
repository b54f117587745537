import type { InstructionPart } from "../../core/agent/conversation.ts";
import { callsOf, type Message } from "../../core/agent/message.ts";
import { createSerializer } from "../../util/async/serialize.ts";
import { conversationOf, type StoredConversation, type StoredMessage } from "./conversation-of.ts";
import type { Entry, EntryBody, Transcripts } from "./transcript.ts";

/** The conversation of a running agent, always equal to what is stored. */
export type LiveSession = ReturnType<typeof createLiveSession>;

export interface LiveSessionOptions {
  readonly id: string;
  readonly transcripts: Transcripts;
  readonly entries: readonly Entry[];
  /** Called with each message once it is stored. */
  readonly added: (message: Message) => void;
  readonly release: () => Promise<void>;
}

/** Creates the live view of an open session; entries are written one after the other, in the order of the calls. */
export function createLiveSession(options: LiveSessionOptions) {
  const { id, transcripts, entries, added, release } = options;
  let { messages, parts }: Pick<StoredConversation, "messages" | "parts"> = conversationOf(entries);
  const callIds = new Set(entries.flatMap((entry) => (entry.kind === "message" ? idsIn(entry.message) : [])));
  let epoch = 0;
  const inOrder = createSerializer();
  return {
    id,
    /** Returns the messages that the model sees now. */
    messages: (): readonly StoredMessage[] => messages,
    parts: (): readonly InstructionPart[] => parts,
    /** Returns a number that grows when messages are dropped or parts are replaced. */
    epoch: (): number => epoch,
    /** Returns the ids of all calls ever made in the session, so that no id is used twice. */
    callIds: (): ReadonlySet<string> => callIds,
    /** Settles when the message is stored. */
    add: (message: Message, turn: number): Promise<void> =>
      inOrder(async () => {
        const { seq } = await transcripts.append(id, { kind: "message", turn, message });
        messages = [...messages, { seq, message }];
        for (const callId of idsIn(message)) callIds.add(callId);
        added(message);
      }),
    /** Stores an entry that does not change what the model sees. */
    append: (body: Extract<EntryBody, { readonly kind: "state" | "usage" }>): Promise<void> =>
      inOrder(async () => void (await transcripts.append(id, body))),
    /** Stores an entry that changes what the model sees, and reloads the conversation. */
    replace: (body: Extract<EntryBody, { readonly kind: "compaction" | "instructions" }>): Promise<void> =>
      inOrder(async () => {
        await transcripts.append(id, body);
        ({ messages, parts } = conversationOf(await transcripts.entries(id)));
        epoch += 1;
      }),
    // If the store was closed first, the end of the process releases the session.
    /** Releases the session for other processes. Never rejects. */
    close: (): Promise<void> => inOrder(release).catch(() => undefined),
  };
}

function idsIn(message: Message): readonly string[] {
  return message.role === "assistant" ? callsOf(message).map(({ id }) => id) : [];
}
