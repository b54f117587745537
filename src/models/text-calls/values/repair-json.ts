import { jsonrepair } from "jsonrepair";
import type { Json } from "../../../core/json.ts";

const TOKEN = /"(?:[^"\\]|\\.)*"|[A-Za-z_$][\w$-]*|-?\d[\d.eE+-]*|[{}[\],:]|\s+|./gs;
const WORDS: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };

/**
 * Repairs commas, unquoted keys and missing brackets at the end. Returns undefined unless the result has exactly the words, numbers and
 * strings of the text, in order, and brackets are added only at the end.
 */
export function repairJson(text: string): Json | undefined {
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
