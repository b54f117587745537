import type { Json, JsonObject } from "../../../core/json.ts";
import {
  readLiteral,
  readValue,
  Unreadable,
  type Cursor,
  type Notation,
} from "../../../util/json/read-literal.ts";
import { readQuoted } from "../../../util/json/repair-json.ts";
import { accepts, itemSchema, propertySchema } from "./typed-text.ts";

/** Parses Gemma's notation: bare keys, strings between special tokens; undefined for anything else. A bare word is text if the schema accepts only that. */
export function parseGemma(text: string, schema?: JsonObject): Json | undefined {
  return readLiteral(text, NOTATION, (cursor) => readValue(cursor, NOTATION, schema));
}

const NOTATION: Notation<JsonObject | undefined> = {
  space: /\s*/y,
  scalar: (cursor, schema) => readString(cursor) ?? readWord(cursor, schema),
  key: (cursor) => readString(cursor) ?? toKey(cursor.match(/[^:,{}[\]<>"]+/y)),
  inside: (schema, key) => (key === undefined ? itemSchema(schema) : propertySchema(schema, key)),
  maxDepth: 100,
};

const MARKED = /<\|"\|>[^]*?<\|"\|>|<escape>[^]*?<escape>/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["None", null],
]);

function readString(cursor: Cursor): string | undefined {
  const marked = cursor.match(MARKED);
  if (marked === undefined) return readQuoted(cursor);
  const length = marked.startsWith("<e") ? "<escape>".length : '<|"|>'.length;
  return marked.slice(length, -length);
}

function toKey(key: string | undefined): string {
  const trimmed = key?.trim() ?? "";
  if (trimmed === "") throw new Unreadable();
  return trimmed;
}

function readWord(cursor: Cursor, schema: JsonObject | undefined): Json {
  const text = cursor.match(/[^:,{}[\]<>"]+/y)?.trim() ?? "";
  if (text === "") throw new Unreadable();
  const value = NUMBER.test(text) ? Number(text) : WORDS.get(text);
  const types =
    value === null ? ["null"] : typeof value === "number" ? ["number", "integer"] : [typeof value];
  const isText = accepts(schema, "string") === true && !types.some((type) => accepts(schema, type));
  if (value === undefined && !isText) throw new Unreadable();
  return isText || value === undefined ? text : value;
}
