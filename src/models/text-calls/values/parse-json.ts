import { jsonrepair } from "jsonrepair";
import type { Json } from "../../../core/json.ts";
import { parseJson as tryParse } from "../../../util/json/parse-json.ts";
import { parsePythonLiteral } from "./parse-python.ts";

/** A parsed value, and whether its text had to be repaired. */
interface ParsedJson {
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

const TOKEN = /"(?:[^"\\]|\\.)*"|[A-Za-z_$][\w$-]*|-?\d[\d.eE+-]*|[{}[\],:]|\s+|./gs;
const WORDS: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };

/**
 * Repairs commas, unquoted keys and missing brackets at the end. Returns undefined unless the result has exactly the words, numbers and
 * strings of the text, in order, and brackets are added only at the end.
 */
function repairJson(text: string): Json | undefined {
  const written = describe(text);
  if (written === undefined) return undefined;
  const repaired = repair(text);
  if (repaired === undefined) return undefined;
  const made = describe(repaired);
  if (made === undefined || made.content.join("\n") !== written.content.join("\n")) return undefined;
  const added = made.structure.slice(written.structure.length);
  if (!made.structure.startsWith(written.structure) || !/^[}\]]*$/.test(added)) return undefined;
  return JSON.parse(repaired) as Json;
}

interface Description {
  readonly content: readonly string[];
  /** Brackets and colons. */
  readonly structure: string;
}

function describe(text: string): Description | undefined {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => token.trim() !== "");
  const content: string[] = [];
  let structure = "";
  for (const [index, token] of tokens.entries()) {
    if (/^[{}[\]:]$/.test(token)) structure += token;
    else if (token.startsWith('"') && token.length > 1) content.push(token);
    else if (/^-?\d/.test(token)) content.push(token);
    else if (token !== ",") {
      const word = wordOf(token, tokens[index + 1] === ":");
      if (word === undefined) return undefined;
      content.push(word);
    }
  }
  return { content, structure };
}

function wordOf(token: string, isKey: boolean): string | undefined {
  if (!/^[A-Za-z_$]/.test(token)) return undefined;
  if (isKey) return JSON.stringify(token);
  const word = WORDS[token] ?? token;
  return ["true", "false", "null"].includes(word) ? word : undefined;
}

function repair(text: string): string | undefined {
  try {
    return jsonrepair(text);
  } catch {
    return undefined;
  }
}
