import type { Reply } from "../../core/content.ts";
import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { textOf } from "../../util/text/text-of.ts";

/** A list that was found, as an answer: its data, how many there are where that is more, and what else is to be said. */
export function listResult(reply: Reply): JsonObject {
  const data = isObject(reply.data) ? reply.data : {};
  const notes = notesOf(reply, countOf(data));
  const { total, atLeast } = reply.truncated ?? {};
  return {
    ...data,
    ...(total !== undefined && { total }),
    ...(atLeast === true && { at_least: true }),
    ...(notes.length > 0 && { notes }),
  };
}

/** The fields that any list may have besides its items. */
export const LIST_RETURNS: JsonObject = {
  total: { type: "integer", description: "How many there are, where not all came" },
  at_least: { type: "boolean", description: "There may be more than total" },
  partial: { type: "boolean", description: "The search ran out of time" },
  notes: { type: "array", items: { type: "string" }, description: "What could not be read" },
};

/** Lines stand before the items; where there are none, before the line that says so. */
function notesOf(reply: Reply, count: number): readonly string[] {
  const { items } = reply;
  return items === undefined
    ? textOf(reply.content, "").split("\n").slice(0, -1)
    : items.slice(0, items.length - count);
}

function countOf(data: JsonObject): number {
  return Object.values(data).find((value) => Array.isArray(value))?.length ?? 0;
}
