import type { InstructionPart } from "../../core/agent/conversation.ts";
import type { Message } from "../../core/agent/message.ts";
import { callsOf } from "../../core/agent/message.ts";
import type { KeptMessage } from "../sessions/conversation-of.ts";
import { conversationOf } from "../sessions/conversation-of.ts";
import type { Entry, EntryBody, Transcripts } from "../sessions/transcript.ts";
import { createSerializer } from "../../util/async/serialize.ts";

/** The conversation of a running agent: what is held of it is what is kept of it. */
export interface HeldSession {
  readonly id: string;
  /** What the model is to see now. */
  messages(): readonly KeptMessage[];
  parts(): readonly InstructionPart[];
  /** Of every call that was ever made in it: what the journal has under one of them is no other call's. */
  callIds(): ReadonlySet<string>;
  /** Settles when the message is kept and held. */
  add(message: Message, turn: number): Promise<void>;
  /** Keeps what does not change what the model is to see. */
  keep(body: Extract<EntryBody, { readonly kind: "state" | "usage" }>): Promise<void>;
  /** Keeps what makes the conversation another, and holds that from now on. */
  replace(body: Extract<EntryBody, { readonly kind: "compaction" | "instructions" }>): Promise<void>;
  /** Lets another process take it up. Never rejects. */
  close(): Promise<void>;
}

export interface HeldSessionOptions {
  readonly id: string;
  readonly transcripts: Transcripts;
  readonly entries: readonly Entry[];
  /** Called with each message once it is kept. */
  readonly added: (message: Message) => void;
  readonly letGo: () => Promise<void>;
}

/** Holds a session that is open; entries are written one after the other, in the order in which they were given. */
export function holdSession({ id, transcripts, entries, added, letGo }: HeldSessionOptions): HeldSession {
  let {
    messages,
    parts,
  }: Pick<ReturnType<typeof conversationOf>, "messages" | "parts"> = conversationOf(entries);
  const callIds = new Set(entries.flatMap((entry) => (entry.kind === "message" ? idsIn(entry.message) : [])));
  const inTurn = createSerializer();
  return {
    id,
    messages: () => messages,
    parts: () => parts,
    callIds: () => callIds,
    add: (message, turn) =>
      inTurn(async () => {
        const { seq } = await transcripts.append(id, { kind: "message", turn, message });
        messages = [...messages, { seq, message }];
        for (const callId of idsIn(message)) callIds.add(callId);
        added(message);
      }),
    keep: (body) => inTurn(async () => void (await transcripts.append(id, body))),
    replace: (body) =>
      inTurn(async () => {
        await transcripts.append(id, body);
        ({ messages, parts } = conversationOf(await transcripts.entries(id)));
      }),
    // Where the store is closed before, the process is soon over, and with it what it holds.
    close: () => inTurn(letGo).catch(() => undefined),
  };
}

function idsIn(message: Message): readonly string[] {
  return message.role === "assistant" ? callsOf(message).map(({ id }) => id) : [];
}
