import { ToolError } from "../../../core/errors.ts";
import type { Connection } from "../connection/connection.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import type { HashedDefinition } from "../types/source-types.ts";
import { instructionsOf, readDefinitions, type ReadDefinitions } from "./definition.ts";
import { isObject } from "../../../core/json.ts";
import { ANYTHING } from "../transport/anything.ts";
import { MAX_MESSAGE_BYTES } from "../transport/server.ts";

/** Caches the tool list of a server per connection, until it is forgotten. */
export function createListing(server: string, limits: Omit<ListOptions, "signal">) {
  let lists = new WeakMap<Connection, Promise<ReadDefinitions>>();
  /** The hashes of checked tools, for further calls. */
  let checked = new WeakMap<Connection, Map<string, string>>();
  const list = async (connection: Connection): Promise<ReadDefinitions> => {
    const never = new AbortController().signal;
    const listed = await listAll(connection, "tools", { ...limits, signal: never });
    const { definitions, problems } = readDefinitions(server, listed, connection.hasHeaders);
    const { client } = connection;
    // A server that lists nothing yet is not pinned.
    const isEmpty = definitions.length === 0 && client.getServerCapabilities()?.tools !== undefined;
    const own = isEmpty ? [] : [instructionsOf(client.getInstructions())];
    return { definitions: [...definitions, ...own], problems };
  };
  const read = (connection: Connection, signal: AbortSignal): Promise<ReadDefinitions> => {
    const listing = lists.get(connection) ?? list(connection);
    lists.set(connection, listing);
    listing.catch(() => lists.delete(connection));
    return untilAborted(listing, signal);
  };
  const isSame = (connection: Connection, { definition, hash }: HashedDefinition): boolean =>
    checked.get(connection)?.get(definition.name) === hash;
  const forget = (): void => {
    lists = new WeakMap();
    checked = new WeakMap();
  };
  return {
    /** Asks the server, which may not have reported a change. */
    readAgain(connection: Connection, signal: AbortSignal): Promise<ReadDefinitions> {
      forget();
      return read(connection, signal);
    },
    /** Returns true if the tool was checked on this connection and is unchanged since it was registered. */
    isSame,
    /** Rejects if the tool has changed since it was registered: what was approved is what is called. */
    async assertSame(connection: Connection, tool: HashedDefinition, signal: AbortSignal): Promise<void> {
      if (isSame(connection, tool)) return;
      const { definition, hash } = tool;
      const known = checked;
      const { definitions } = await read(connection, signal);
      const now = definitions.find((one) => one.definition.name === definition.name);
      // Stored in the map from before the request: a list that changed in the meantime has a new map.
      if (now?.hash === hash) {
        known.set(connection, (known.get(connection) ?? new Map()).set(definition.name, hash));
        return;
      }
      const what =
        now === undefined ? "no longer has this tool" : "has changed this tool since it was approved";
      throw new ToolError("TOOL_DISABLED", `the MCP server "${server}" ${what}`, {
        hint: now === undefined ? "refresh the tools" : `run toolwright mcp approve ${server}`,
      });
    },
    /** Drops the cached lists. */
    forget,
  };
}

/** The lists of a server: method, capability, and key in the result. */
const LISTS = {
  tools: { method: "tools/list", capability: "tools", key: "tools" },
  resources: { method: "resources/list", capability: "resources", key: "resources" },
  templates: { method: "resources/templates/list", capability: "resources", key: "resourceTemplates" },
  prompts: { method: "prompts/list", capability: "prompts", key: "prompts" },
} as const;

export type Listable = keyof typeof LISTS;

interface ListOptions {
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
