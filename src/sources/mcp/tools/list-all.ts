import { ToolError } from "../../../core/errors.ts";
import { isObject } from "../../../core/json.ts";
import { ANYTHING } from "../transport/anything.ts";
import type { Connection } from "../connection/connection.ts";
import { MAX_MESSAGE_BYTES } from "../transport/server.ts";

/** The lists of a server: method, capability, and key in the result. */
const LISTS = {
  tools: { method: "tools/list", capability: "tools", key: "tools" },
  resources: { method: "resources/list", capability: "resources", key: "resources" },
  templates: { method: "resources/templates/list", capability: "resources", key: "resourceTemplates" },
  prompts: { method: "prompts/list", capability: "prompts", key: "prompts" },
} as const;

export type Listable = keyof typeof LISTS;

export interface ListOptions {
  readonly signal: AbortSignal;
  /** Time limit for all pages together. */
  readonly timeoutMs: number;
  /** Size limit of all pages together, as JSON; default: that of one message. */
  readonly maxCharacters?: number;
}

const MAX_PAGES = 100;
const MAX_ITEMS = 10_000;

/**
 * Returns all items of a list, page by page and not validated, so that one invalid item does not affect the others; empty if the
 * server lacks the capability. Rejects if the list exceeds the limit of pages, items or characters. A part of a list is never
 * returned: the missing items would look removed.
 */
export async function listAll(
  { client, fault }: Connection,
  what: Listable,
  { signal, timeoutMs, maxCharacters = MAX_MESSAGE_BYTES }: ListOptions,
): Promise<readonly unknown[]> {
  const { method, capability, key } = LISTS[what];
  if (client.getServerCapabilities()?.[capability] === undefined) return [];
  const items: unknown[] = [];
  const until = performance.now() + timeoutMs;
  let characters = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { params: { cursor } };
    const timeout = Math.max(1, until - performance.now());
    const answer = await client
      .request({ method, ...params }, ANYTHING, { signal, timeout })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw fault(error);
      });
    const listed = isObject(answer) ? answer[key] : undefined;
    if (!Array.isArray(listed))
      throw new ToolError("INVALID_OUTPUT", `it answered ${method} without a list of ${key}`);
    if (items.length + listed.length > MAX_ITEMS) break;
    characters += JSON.stringify(listed).length;
    if (characters > maxCharacters)
      throw new ToolError("INVALID_OUTPUT", `it lists more than ${maxCharacters} characters of ${key}`);
    items.push(...(listed as readonly unknown[]));
    const next = isObject(answer) ? answer["nextCursor"] : undefined;
    if (typeof next !== "string" || next === "" || next === cursor) return items;
    cursor = next;
  }
  throw new ToolError("INVALID_OUTPUT", `it lists more than ${MAX_PAGES} pages or ${MAX_ITEMS} ${key}`);
}
