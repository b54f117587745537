import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Entry, EntryBody } from "./transcript.ts";

/** A kept document as the entry of that number; undefined where it is none, so that nothing half read is taken for what was said. */
export function toEntry(value: Json, seq: number): Entry | undefined {
  if (!isObject(value) || value["seq"] !== seq || typeof value["at"] !== "number") return undefined;
  const kind = value["kind"];
  if (typeof kind !== "string" || !Object.hasOwn(FITS, kind)) return undefined;
  return FITS[kind as EntryBody["kind"]](value) ? (value as unknown as Entry) : undefined;
}

const FITS: Readonly<Record<EntryBody["kind"], (value: JsonObject) => boolean>> = {
  message: ({ turn, message }) => typeof turn === "number" && isMessage(message),
  compaction: ({ summary, keptFrom }) => typeof summary === "string" && typeof keptFrom === "number",
  instructions: ({ parts, keepsHistory }) => Array.isArray(parts) && typeof keepsHistory === "boolean",
  command: ({ text, output }) => typeof text === "string" && typeof output === "string",
  state: ({ state }) => typeof state === "string",
  usage: ({ turn, model, usage }) => typeof turn === "number" && typeof model === "string" && isObject(usage),
};

/** Where each role has what it says. */
const SAYS: Readonly<Record<string, string>> = { user: "content", assistant: "parts", tool: "results" };

function isMessage(message: Json | undefined): boolean {
  if (!isObject(message) || typeof message["role"] !== "string") return false;
  const says = Object.hasOwn(SAYS, message["role"]) ? SAYS[message["role"]] : undefined;
  return says !== undefined && Array.isArray(message[says]);
}
