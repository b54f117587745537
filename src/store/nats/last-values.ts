import { randomUUID } from "node:crypto";
import type { JetStreamPublishOptions } from "@nats-io/jetstream";
import type { Msg, MsgHdrs } from "@nats-io/transport-node";
import { createLargeTexts, type LargeTexts } from "./large-texts.ts";
import {
  apiCode,
  deliveryOf,
  ensureStream,
  maxPayload,
  NANOSECONDS,
  NO_MESSAGE,
  persist,
  WRONG_SEQUENCE,
  type Nats,
} from "./nats.ts";
import { type ListedOptions, readMessages, consumerOf } from "./read-messages.ts";

/** The last message of a subject. */
export interface LastValue {
  readonly subject: string;
  /** Its number in the stream: later values have higher ones. */
  readonly sequence: number;
  /** Milliseconds since 1970 by the clock of the server. */
  readonly storedAt: number;
  readonly text: string;
}

export interface ValuePage {
  readonly values: readonly LastValue[];
  /** How many values were read: fewer than the limit if these were the last. */
  readonly read: number;
  /** The sequence of the last one that was read; undefined if there was none. */
  readonly lastSequence: number | undefined;
}

/** A stream that stores the last value of each subject. A value of any size is stored: a large one in the object store. */
export type LastValues = Readonly<Awaited<ReturnType<typeof openLastValues>>>;

interface LastValuesOptions {
  readonly stream: string;
  readonly subjects: readonly string[];
  /** Values older than this are deleted; default: none. */
  readonly maxAgeMs?: number;
}

const OBJECT = "Tw-Object";
const WRITE = "Tw-Write";

/** Returns the bucket of the values of a stream that are too long for it. */
export const textsOf = (stream: string): string => `${stream}-texts`;

/** Opens the stream, which is created if it does not exist. */
export async function openLastValues(nats: Nats, options: LastValuesOptions) {
  const { manager } = nats;
  const { stream } = options;
  await ensureStream(nats, stream, {
    subjects: [...options.subjects],
    max_msgs_per_subject: 1,
    ...(options.maxAgeMs !== undefined && { max_age: options.maxAgeMs * NANOSECONDS }),
  });
  const texts = createLargeTexts(nats, textsOf(stream));
  const last = (subject: string) =>
    persist(() => manager.streams.getMessage(stream, { last_by_subj: subject }));
  const values = {
    async get(subject: string): Promise<LastValue | undefined> {
      const message = await last(subject);
      if (message === null) return undefined;
      const text = await textOf(message.header, texts, () => message.string());
      // Without its text it was replaced between the two reads.
      return text === undefined
        ? values.get(subject)
        : { subject, sequence: message.seq, storedAt: message.time.getTime(), text };
    },
    /** Stores a value. Returns its sequence, or "changed" if the last one is not `expected`; 0 expects none, undefined anything. */
    put: createPut(nats, texts, async (subject) => {
      const message = await last(subject);
      return message === null ? undefined : { sequence: message.seq, id: message.header.get(WRITE) };
    }),
    /** Deletes exactly this value. Returns false if it was replaced or deleted before. */
    delete: (sequence: number): Promise<boolean> =>
      persist(async () => {
        try {
          return await manager.streams.deleteMessage(stream, sequence, false);
        } catch (error) {
          if (NO_MESSAGE.has(apiCode(error))) return false;
          throw error;
        }
      }),
    /** Returns the values of matching subjects in the order of their sequences. */
    list: async (filter: string, listed: ListedOptions = {}): Promise<readonly LastValue[]> =>
      (await values.page(filter, listed)).values,
    /** Returns these values with what was read: a value that is replaced in the meantime is not among them. */
    page: (filter: string, listed: ListedOptions = {}): Promise<ValuePage> =>
      persist(async () => {
        const messages = await readMessages(nats, stream, filter, listed);
        const listedValues = await Promise.all(messages.map((one) => toValue(one, texts, listed)));
        const last = messages.at(-1);
        return {
          values: listedValues.flatMap((one) => one ?? []),
          read: messages.length,
          lastSequence: last && deliveryOf(last).sequence,
        };
      }),
    count: (filter: string): Promise<number> =>
      persist(async () => {
        const { name, num_pending: count } = await manager.consumers.add(stream, consumerOf(filter, {}));
        void manager.consumers.delete(stream, name).catch(() => undefined);
        return count;
      }),
    lastSequence: async (): Promise<number> =>
      (await persist(() => manager.streams.info(stream))).state.last_seq,
    /** Deletes large texts that were stored before a time and replaced since. */
    deleteUnusedTexts: (before: number): Promise<void> =>
      texts.deleteUnused(before, async (subject, name) => (await last(subject))?.header.get(OBJECT) === name),
  };
  return values;
}

/** Creates the write of values. A write whose answer was lost is recognised by its id when it is tried again. */
function createPut(
  { js, nc, packages }: Nats,
  texts: LargeTexts,
  lastWrite: (subject: string) => Promise<{ readonly sequence: number; readonly id: string } | undefined>,
) {
  return async (subject: string, text: string, expected?: number): Promise<number | "changed"> => {
    const bytes = Buffer.from(text);
    const id = randomUUID();
    const headers = packages.transport.headers();
    headers.set(WRITE, id);
    const isLarge = bytes.length > maxPayload(nc);
    if (isLarge) headers.set(OBJECT, await texts.put(subject, bytes));
    const options: Partial<JetStreamPublishOptions> = {
      headers,
      ...(expected !== undefined && { expect: { lastSubjectSequence: expected } }),
    };
    return persist(async (attempt) => {
      try {
        return (await js.publish(subject, isLarge ? "" : bytes, options)).seq;
      } catch (error) {
        if (isBeingCreated(error, attempt)) throw new Error("no stream stores this yet", { cause: error });
        if (!WRONG_SEQUENCE.has(apiCode(error))) throw error;
        const last = attempt === 1 ? undefined : await lastWrite(subject);
        return last?.id === id ? last.sequence : "changed";
      }
    });
  };
}

/** How often a write is tried while another process creates the stream. */
const CREATED_ATTEMPTS = 20;

/** Returns true for the error of a subject that no stream has: the server knows a new stream before it stores its messages. */
function isBeingCreated(error: unknown, attempt: number): boolean {
  return error instanceof Error && error.name === "JetStreamNotEnabled" && attempt < CREATED_ATTEMPTS;
}

async function toValue(
  message: Msg,
  texts: LargeTexts,
  { withoutText = false }: ListedOptions,
): Promise<LastValue | undefined> {
  const { sequence, storedAt } = deliveryOf(message);
  const text = withoutText ? "" : await textOf(message.headers, texts, () => message.string());
  return text === undefined ? undefined : { subject: message.subject, sequence, storedAt, text };
}

/** Returns undefined if the large text was deleted. */
async function textOf(
  headers: MsgHdrs | undefined,
  texts: LargeTexts,
  own: () => string,
): Promise<string | undefined> {
  const name = headers?.get(OBJECT) ?? "";
  return name === "" ? own() : texts.get(name);
}
