import { hash } from "node:crypto";
import type { JsonObject } from "../../../core/json.ts";
import { currentConnection, type Connection } from "../../../sources/mcp/connection/connection.ts";
import { listAll, type Listable } from "../../../sources/mcp/tools/listing.ts";
import { toolNameOf } from "../../../sources/mcp/tools/names.ts";
import { escapeTexts } from "../../../util/json/escape-texts.ts";
import type { ResourcePlace } from "../types/gateway-types.ts";
import type { McpSource } from "../../../sources/mcp/types/source-types.ts";

/** An item that a server lists: its name there, its unique name here, and its form in our list. */
export interface UpstreamItem {
  readonly source: McpSource;
  readonly own: string;
  readonly name: string;
  readonly shown: JsonObject;
}

/** The items of one kind of all servers. */
export type Listing = ReturnType<typeof createListing>;

/** How one kind of item is listed, validated and named. */
export interface ItemKind {
  readonly what: Exclude<Listable, "tools">;
  readonly key: string;
  /** Its type in the specification of the protocol. */
  readonly type: "Prompt" | "Resource" | "ResourceTemplate";
  readonly nameOf: (server: string, own: string, isTaken: (name: string) => boolean) => string;
}

export const PROMPTS: ItemKind = { what: "prompts", key: "name", type: "Prompt", nameOf: promptName };
export const RESOURCES: ItemKind = { what: "resources", key: "uri", type: "Resource", nameOf: addressOf };
export const TEMPLATES: ItemKind = {
  what: "templates",
  key: "uriTemplate",
  type: "ResourceTemplate",
  nameOf: addressOf,
};

/** The time limit for a server's list: the other servers do not wait longer. */
const LIST_MS = 3000;
const HASH_CHARACTERS = 8;

/** A name stays with its server for as long as the server is configured, also while it is disconnected. */
export function createListing(sources: readonly McpSource[], kind: ItemKind) {
  const listed = new Map<McpSource, readonly JsonObject[]>();
  let named: ReadonlyMap<string, UpstreamItem> = new Map();
  const refresh = async (signal: AbortSignal): Promise<void> => {
    await Promise.all(
      sources.map(async (source) => {
        const connection = currentConnection(source);
        const items = connection && (await validItems(connection, kind, signal).catch(() => undefined));
        // A server that fails keeps its items: its names must not become another server's.
        if (items !== undefined) listed.set(source, items);
      }),
    );
    named = nameAll(sources, listed, kind);
  };
  return {
    /** Lists the items of connected servers; a server that fails to answer keeps its previous items. */
    async list(signal: AbortSignal): Promise<readonly JsonObject[]> {
      await refresh(signal);
      return [...named.values()].flatMap(({ source, shown }) =>
        source.current() === undefined ? [] : [shown],
      );
    },
    /** Finds an item by its name here, also of a server that is gone; lists again if the name is unknown. */
    async find(name: string, signal: AbortSignal): Promise<UpstreamItem | undefined> {
      if (!named.has(name)) await refresh(signal);
      return named.get(name);
    },
    /** Returns the items of the last list. */
    known: (): readonly UpstreamItem[] => [...named.values()],
  };
}

/** Leaves out invalid items: a client would reject the whole list. */
async function validItems(
  connection: Connection,
  { what, type }: ItemKind,
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
  const items = await listAll(connection, what, { signal: limited, timeoutMs: LIST_MS });
  return (items as readonly JsonObject[]).filter((item) => connection.sdk.isSpecType[type](item));
}

function nameAll(
  sources: readonly McpSource[],
  listed: ReadonlyMap<McpSource, readonly JsonObject[]>,
  { key, nameOf }: ItemKind,
): ReadonlyMap<string, UpstreamItem> {
  const named = new Map<string, UpstreamItem>();
  for (const source of sources) {
    const seen = new Set<string>();
    for (const item of listed.get(source) ?? []) {
      const { [key]: own } = item;
      // A name that a server lists twice is one item.
      if (typeof own !== "string" || seen.has(own)) continue;
      seen.add(own);
      const name = nameOf(source.server, own, (taken) => named.has(taken));
      named.set(name, { source, own, name, shown: shownItem({ ...item, [key]: name }, key) });
    }
  }
  return named;
}

/** A client may print the list on a terminal. Addresses stay as they are, and so do the names of arguments. */
function shownItem(item: JsonObject, key: string): JsonObject {
  return escapeTexts(item, key === "name" ? [] : ["name"]);
}

/** Names a prompt like a tool; if the name is taken, it ends in a hash. */
function promptName(server: string, own: string, isTaken: (name: string) => boolean): string {
  const name = toolNameOf(server, own);
  if (!isTaken(name)) return name;
  const whole = hash("sha256", JSON.stringify([server, own]));
  return `${name.slice(0, 63 - HASH_CHARACTERS)}_${whole.slice(0, HASH_CHARACTERS)}`;
}

/** Schemes that have a meaning here; a server's address with one of them is qualified. */
const RESERVED = /^(?:mcp:|artifact:)/i;

function addressOf(server: string, own: string, isTaken: (name: string) => boolean): string {
  return RESERVED.test(own) || isTaken(own) ? qualified(server, own) : own;
}

/** Returns an address with its server. It is not encoded, so that the variables of templates stay as they are. */
function qualified(server: string, uri: string): string {
  return `mcp:${server}/${uri}`;
}

/** Splits an address with its server; returns undefined for any other address. */
export function splitQualified(address: string): ResourcePlace | undefined {
  const [, server = "", uri = ""] = /^mcp:([^/]+)\/(.+)$/su.exec(address) ?? [];
  return server === "" ? undefined : { server, uri };
}
