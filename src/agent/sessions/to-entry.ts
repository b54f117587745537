import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Entry, EntryBody } from "./transcript.ts";

/** Returns a stored document as the entry of that number; undefined if it is not a valid entry. */
export function toEntry(value: Json, seq: number): Entry | undefined {
  if (!isObject(value) || value["seq"] !== seq || typeof value["at"] !== "number") return undefined;
  const kind = value["kind"];
  if (typeof kind !== "string" || !Object.hasOwn(CHECKS, kind)) return undefined;
  return CHECKS[kind as EntryBody["kind"]](value) ? (value as unknown as Entry) : undefined;
}

const CHECKS: Readonly<Record<EntryBody["kind"], (value: JsonObject) => boolean>> = {
  message: ({ turn, message }) => typeof turn === "number" && isMessage(message),
  compaction: ({ summary, keptFrom }) => typeof summary === "string" && typeof keptFrom === "number",
  instructions: ({ parts, keepsHistory }) => Array.isArray(parts) && typeof keepsHistory === "boolean",
  command: ({ text, output }) => typeof text === "string" && typeof output === "string",
  state: ({ state }) => typeof state === "string",
  usage: ({ turn, model, usage }) => typeof turn === "number" && typeof model === "string" && isObject(usage),
};

/** The property with the contents of each role. */
const CONTENTS: Readonly<Record<string, string>> = { user: "content", assistant: "parts", tool: "results" };

function isMessage(message: Json | undefined): boolean {
  if (!isObject(message) || typeof message["role"] !== "string") return false;
  const key = Object.hasOwn(CONTENTS, message["role"]) ? CONTENTS[message["role"]] : undefined;
  return key !== undefined && Array.isArray(message[key]);
}
