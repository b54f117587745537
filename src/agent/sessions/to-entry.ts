import type { Json, JsonObject } from "../../core/json.ts";
import { createDocumentReader, LIST, NUMBER, TEXT, withFields } from "../../tools/shared/document-reader.ts";
import type { Entry, EntryBody } from "./transcript.ts";

/** Returns a stored document as the entry of that number; undefined if it is not a valid entry. */
export function toEntry(value: Json, seq: number): Entry | undefined {
  const entry = readEntry(value);
  return entry?.seq === seq ? entry : undefined;
}

const OBJECT: JsonObject = { type: "object" };

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
  usage: { turn: NUMBER, model: TEXT, usage: OBJECT },
};

const readEntry = createDocumentReader<Entry>({
  anyOf: Object.entries(FIELDS).map(([kind, fields]) =>
    withFields({ kind: { const: kind }, seq: NUMBER, at: NUMBER, ...fields }),
  ),
});
