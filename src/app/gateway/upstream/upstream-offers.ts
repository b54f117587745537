import { createHash } from "node:crypto";
import type { JsonObject } from "../../../core/json.ts";
import type { Connection } from "../../../sources/mcp/connection/connect.ts";
import type { Listable } from "../../../sources/mcp/tools/list-all.ts";
import { listAll } from "../../../sources/mcp/tools/list-all.ts";
import { toolNameOf } from "../../../sources/mcp/tools/names.ts";
import type { McpSource } from "../../../sources/mcp/source.ts";

/** Something that a server lists: its name there, the one that is unique here, and how it is shown. */
export interface Offer {
  readonly source: McpSource;
  readonly own: string;
  readonly name: string;
  readonly shown: JsonObject;
}

/** What all servers list of one kind. */
export interface Offers {
  /** As the servers that are there list it now, or have listed it before where one fails to. */
  list(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** By the name here, that of a server which is gone included; servers are asked again for one that is not known. */
  find(name: string, signal: AbortSignal): Promise<Offer | undefined>;
  /** All that is known, without asking. */
  known(): readonly Offer[];
}

/** How one kind is listed, checked and named. */
export interface OfferKind {
  readonly what: Exclude<Listable, "tools">;
  readonly key: string;
  readonly isWhole: (connection: Connection, item: unknown) => boolean;
  readonly nameOf: (server: string, own: string, isTaken: (name: string) => boolean) => string;
}

export const PROMPTS: OfferKind = {
  what: "prompts",
  key: "name",
  isWhole: ({ sdk }, item) => sdk.isSpecType.Prompt(item),
  nameOf: promptName,
};
export const RESOURCES: OfferKind = {
  what: "resources",
  key: "uri",
  isWhole: ({ sdk }, item) => sdk.isSpecType.Resource(item),
  nameOf: addressOf,
};
export const TEMPLATES: OfferKind = {
  what: "templates",
  key: "uriTemplate",
  isWhole: ({ sdk }, item) => sdk.isSpecType.ResourceTemplate(item),
  nameOf: addressOf,
};

/** How long a server may take to list what it has; the others are not kept waiting for longer. */
const LIST_MS = 3000;
const HASH_CHARACTERS = 8;

/** Names stay with whom they were given to for as long as the server is known, also while it is gone. */
export function createOffers(sources: readonly McpSource[], kind: OfferKind): Offers {
  const listed = new Map<McpSource, readonly JsonObject[]>();
  let offers: ReadonlyMap<string, Offer> = new Map();
  const refresh = async (signal: AbortSignal): Promise<void> => {
    await Promise.all(
      sources.map(async (source) => {
        const connection = source.current();
        const items = connection && (await wholeItems(connection, kind, signal).catch(() => undefined));
        // One that fails keeps what it had: its names must not become another server's.
        if (items !== undefined) listed.set(source, items);
      }),
    );
    offers = nameAll(sources, listed, kind);
  };
  return {
    async list(signal) {
      await refresh(signal);
      return [...offers.values()].flatMap(({ source, shown }) =>
        source.current() === undefined ? [] : [shown],
      );
    },
    async find(name, signal) {
      if (!offers.has(name)) await refresh(signal);
      return offers.get(name);
    },
    known: () => [...offers.values()],
  };
}

/** An item out of form would cost the client the whole list. */
async function wholeItems(
  connection: Connection,
  { what, isWhole }: OfferKind,
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
  const items = await listAll(connection, what, { signal: limited, timeoutMs: LIST_MS });
  return (items as readonly JsonObject[]).filter((item) => isWhole(connection, item));
}

function nameAll(
  sources: readonly McpSource[],
  listed: ReadonlyMap<McpSource, readonly JsonObject[]>,
  { key, nameOf }: OfferKind,
): ReadonlyMap<string, Offer> {
  const offers = new Map<string, Offer>();
  for (const source of sources) {
    const seen = new Set<string>();
    for (const item of listed.get(source) ?? []) {
      const { [key]: own } = item;
      // A server that lists one name twice means one thing by it.
      if (typeof own !== "string" || seen.has(own)) continue;
      seen.add(own);
      const name = nameOf(source.server, own, (taken) => offers.has(taken));
      offers.set(name, { source, own, name, shown: { ...item, [key]: name } });
    }
  }
  return offers;
}

/** Like a tool's; where two come to one name the second ends in a hash. */
function promptName(server: string, own: string, isTaken: (name: string) => boolean): string {
  const name = toolNameOf(server, own);
  if (!isTaken(name)) return name;
  const hash = createHash("sha256")
    .update(JSON.stringify([server, own]))
    .digest("hex");
  return `${name.slice(0, 63 - HASH_CHARACTERS)}_${hash.slice(0, HASH_CHARACTERS)}`;
}

/** Addresses that mean something to us already are never a server's. */
const OURS = /^(?:mcp:|artifact:)/i;

function addressOf(server: string, own: string, isTaken: (name: string) => boolean): string {
  return OURS.test(own) || isTaken(own) ? qualified(server, own) : own;
}

/** An address with its server: not encoded, so that blanks of templates stay blanks. */
function qualified(server: string, uri: string): string {
  return `mcp:${server}/${uri}`;
}

/** The server and the address there, of an address with its server; undefined for any other. */
export function splitQualified(
  address: string,
): { readonly server: string; readonly uri: string } | undefined {
  const [, server = "", uri = ""] = /^mcp:([^/]+)\/(.+)$/su.exec(address) ?? [];
  return server === "" ? undefined : { server, uri };
}
