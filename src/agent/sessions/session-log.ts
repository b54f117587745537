import type { Collection } from "../../core/store/collection.ts";
import { ToolError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { defined } from "../../util/json/defined.ts";
import type { Entry, EntryBody } from "./transcript.ts";
import { createDocumentReader, LIST, NUMBER, TEXT, withFields } from "../../schema/document-reader.ts";

/** Zero-padded, so that keys sort by number. */
const DIGITS = 16;

/** The log of a session. */
interface LogOf {
  readonly session: string;
  readonly log: string;
  /** At least this many entries were written. */
  readonly seq: number;
}

/** The entries of all sessions. */
export type SessionLog = ReturnType<typeof createSessionLog>;

export function createSessionLog(collection: Collection) {
  const key = (log: string, seq: number): string => `${log}/${String(seq).padStart(DIGITS, "0")}`;
  return {
    /** Writes under the first free number, also if another process writes at the same time. */
    async append({ log, seq: last }: LogOf, body: EntryBody): Promise<Entry> {
      for (let seq = last + 1; ; seq += 1) {
        const entry: Entry = { ...body, seq, at: Date.now() };
        let isOurs = false;
        await collection.update(key(log, seq), (there) => {
          isOurs = there === undefined;
          return there ?? asJson(entry);
        });
        if (isOurs) return entry;
      }
    },

    /** Returns all entries, or the first `limit`; throws if one of these is missing or damaged. */
    async read(
      { session, log, seq: written }: LogOf,
      limit: number = Number.POSITIVE_INFINITY,
    ): Promise<readonly Entry[]> {
      const last = Math.min(written, limit);
      const documents = await collection.list({ prefix: `${log}/`, limit }).catch(async (error: unknown) => {
        throw damaged(session, await firstUnreadable(collection, (seq) => key(log, seq), last), error);
      });
      const entries = documents.map((document, index) => {
        const seq = index + 1;
        const entry = readEntry(document.value);
        if (document.key !== key(log, seq) || entry?.seq !== seq) throw damaged(session, seq);
        return entry;
      });
      if (entries.length < last) throw damaged(session, entries.length + 1);
      return entries;
    },

    write: (log: string, entry: Entry): Promise<void> => collection.set(key(log, entry.seq), asJson(entry)),
    remove: async (log: string, { seq }: Entry): Promise<void> =>
      void (await collection.delete(key(log, seq))),

    async clear({ log, seq: last }: Pick<LogOf, "log" | "seq">): Promise<void> {
      // By number, because a damaged entry cannot be listed.
      for (let seq = 1; (await collection.delete(key(log, seq))) || seq <= last; seq += 1);
    },
  };
}

/** Finds the damaged entry that prevents all from being listed. */
async function firstUnreadable(
  collection: Collection,
  key: (seq: number) => string,
  last: number,
): Promise<number | undefined> {
  for (let seq = 1; seq <= last; seq += 1) {
    try {
      await collection.get(key(seq));
    } catch {
      return seq;
    }
  }
  return undefined;
}

function damaged(session: string, seq: number | undefined, cause?: unknown): ToolError {
  const which = seq === undefined ? "its entries" : `entry ${seq}`;
  const message = `the session ${session} cannot be read: ${which} ${seq === undefined ? "are" : "is"} missing or damaged`;
  return new ToolError("UNAVAILABLE", message, {
    hint:
      seq === undefined || seq < 2
        ? "nothing was changed; restore the store from a copy, or delete the session"
        : `nothing was changed; restore the store from a copy, or continue with the entries before it: toolwright sessions fork ${session} --at ${seq - 1}`,
    details: { session, ...defined({ seq }) },
    ...defined({ cause }),
  });
}

function asJson(entry: Entry): Json {
  return entry as unknown as Json;
}

const MESSAGE: JsonObject = {
  anyOf: [
    withFields({ role: { const: "user" }, content: LIST }),
    withFields({ role: { const: "assistant" }, parts: LIST }),
    withFields({ role: { const: "tool" }, results: LIST }),
  ],
};

const FIELDS: Readonly<Record<EntryBody["kind"], Readonly<Record<string, JsonObject>>>> = {
  message: { turn: NUMBER, message: MESSAGE },
  compaction: { summary: TEXT, keptFrom: NUMBER },
  instructions: { parts: LIST, keepsHistory: { type: "boolean" } },
  command: { text: TEXT, output: TEXT },
  state: { state: TEXT },
  usage: { turn: NUMBER, model: TEXT, usage: withFields({}) },
};

const readEntry = createDocumentReader<Entry>({
  anyOf: Object.entries(FIELDS).map(([kind, fields]) =>
    withFields({ kind: { const: kind }, seq: NUMBER, at: NUMBER, ...fields }),
  ),
});
