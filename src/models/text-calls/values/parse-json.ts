import type { Json } from "../../../core/json.ts";
import { parseJson as tryParse } from "../../../util/json/parse-json.ts";
import { parsePythonLiteral } from "./parse-python.ts";
import { repairJson } from "./repair-json.ts";

/** A parsed value, and whether its text had to be repaired. */
export interface ParsedJson {
  readonly value: Json;
  readonly repaired: boolean;
}

const MAX_DEPTH = 1000;

/** Parses JSON as models write it. Repairs what can have only one meaning; undefined for everything else. Never completes a text that was cut off. */
export function parseJson(text: string): ParsedJson | undefined {
  if (text.length > MAX_DEPTH && nestsTooDeep(text)) return undefined;
  return strict(text) ?? repaired(text);
}

const STEP = /"(?:[^"\\]|\\.)*"|[{[]|[}\]]/gs;

/** Detects nesting that would overflow the stack of recursive code. */
function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (const [step] of text.matchAll(STEP)) {
    if (step === "{" || step === "[") depth += 1;
    else if (step === "}" || step === "]") depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function strict(text: string): ParsedJson | undefined {
  const value = tryParse(text);
  return value === undefined ? undefined : { value, repaired: false };
}

function repaired(text: string): ParsedJson | undefined {
  const value = tryParse(escapeStrings(text)) ?? parsePythonLiteral(text) ?? repairJson(text);
  return value === undefined ? undefined : { value, repaired: true };
}

const STRING = /"(?:[^"\\]|\\.)*"/gs;
const CONTROL = /[\u0000-\u001f]/g;
const UNKNOWN_ESCAPE = /\\(?:(["\\/bfnrt]|u[\dA-Fa-f]{4})|(.))/gs;

/** Escapes line breaks inside strings, and fixes escapes that JSON does not have. */
function escapeStrings(text: string): string {
  return text.replace(STRING, (string) =>
    string
      .replace(UNKNOWN_ESCAPE, (whole, known: string | undefined, other: string) =>
        known === undefined ? (other === "'" ? "'" : `\\\\${other}`) : whole,
      )
      .replace(CONTROL, (char) => JSON.stringify(char).slice(1, -1)),
  );
}
