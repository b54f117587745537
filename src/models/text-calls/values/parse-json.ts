import type { Json } from "../../../core/json.ts";
import { parseJson as tryParse } from "../../../util/json/parse-json.ts";
import { parsePythonLiteral } from "./parse-python.ts";
import { repairJson } from "./repair-json.ts";

/** What a JSON text says, and whether it had to be mended to say it. */
export interface ParsedJson {
  readonly value: Json;
  readonly repaired: boolean;
}

const MAX_DEPTH = 1000;

/** Reads JSON as models write it. Mends what can be meant in one way only; undefined for everything else. Never completes what was cut off. */
export function parseJson(text: string): ParsedJson | undefined {
  if (text.length > MAX_DEPTH && nestsTooDeep(text)) return undefined;
  return strict(text) ?? mended(text);
}

const STEP = /"(?:[^"\\]|\\.)*"|[{[]|[}\]]/gs;

/** What nests this deep would overflow the stack of whoever walks it. */
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

function mended(text: string): ParsedJson | undefined {
  const value = tryParse(escapeStrings(text)) ?? parsePythonLiteral(text) ?? repairJson(text);
  return value === undefined ? undefined : { value, repaired: true };
}

const STRING = /"(?:[^"\\]|\\.)*"/gs;
const CONTROL = /[\u0000-\u001f]/g;
const UNKNOWN_ESCAPE = /\\(?:(["\\/bfnrt]|u[\dA-Fa-f]{4})|(.))/gs;

/** Line breaks inside strings, and escapes that JSON does not know, as JSON writes them. */
function escapeStrings(text: string): string {
  return text.replace(STRING, (string) =>
    string
      .replace(UNKNOWN_ESCAPE, (whole, known: string | undefined, other: string) =>
        known === undefined ? (other === "'" ? "'" : `\\\\${other}`) : whole,
      )
      .replace(CONTROL, (char) => JSON.stringify(char).slice(1, -1)),
  );
}
