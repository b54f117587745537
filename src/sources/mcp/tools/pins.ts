import { createHash } from "node:crypto";
import type { Collection } from "../../../core/store/collection.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Definition, HashedDefinition } from "../types/source-types.ts";
import type { McpServer } from "../transport/server.ts";

/** The approved definitions of one server, by tool name. */
export type PinnedTools = ReadonlyMap<string, HashedDefinition>;

/** Stores the approved definitions of one server. */
export interface Pins {
  /** Returns undefined if the server was never used. */
  read(): Promise<PinnedTools | undefined>;
  /** Returns the pinned definitions; if there are none, pins these. */
  readOrPin(listed: readonly HashedDefinition[]): Promise<PinnedTools>;
  /** Pins exactly these, replacing earlier pins of the same names. */
  approve(listed: readonly HashedDefinition[]): Promise<void>;
}

export interface PinsOptions {
  readonly collection: Collection;
  readonly name: string;
  readonly server: McpServer;
  /** The project folder that configures the server; default: the user's own config. */
  readonly folder?: string;
}

/**
 * Opens the pins of one server. They are bound to its command or URL, so that another program under the same name counts as new;
 * environment and headers, which change with every token, do not count.
 */
export function createPins({ collection, name, server, folder }: PinsOptions): Pins {
  const key = `${prefixOf(name)}${JSON.stringify(identityOf(server, folder))}]`;
  return {
    read: async () => fromDocument(await collection.get(key)),
    async readOrPin(seen) {
      // A server that lists nothing yet is not pinned.
      if (seen.length === 0) return fromDocument(await collection.get(key)) ?? new Map();
      const stored = await collection.update(key, (value) => value ?? toDocument(seen));
      return fromDocument(stored) ?? new Map();
    },
    async approve(seen) {
      await collection.update(key, (value) => {
        const before = isObject(value) && isObject(value["tools"]) ? value["tools"] : {};
        return { tools: { ...before, ...toTools(seen) } };
      });
    },
  };
}

/** Deletes the pins of every server of that name. */
export async function forgetPins(collection: Collection, name: string): Promise<void> {
  for (const { key } of await collection.list({ prefix: prefixOf(name) })) await collection.delete(key);
}

function prefixOf(name: string): string {
  return `[${JSON.stringify(name)},`;
}

function identityOf(server: McpServer, folder: string | undefined): string {
  const what = server.kind === "stdio" ? [server.command, ...server.args] : [addressOf(server.url)];
  return createHash("sha256")
    .update(JSON.stringify([server.kind, what, folder ?? null]))
    .digest("hex");
}

/** Removes the query, which may hold a token. */
function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

function toDocument(seen: readonly HashedDefinition[]): JsonObject {
  return { tools: toTools(seen) };
}

function toTools(seen: readonly HashedDefinition[]): JsonObject {
  return Object.fromEntries(
    seen.map(({ definition, hash }) => [
      definition.name,
      { hash, definition: definition as unknown as JsonObject },
    ]),
  );
}

function fromDocument(value: Json | undefined): PinnedTools | undefined {
  if (!isObject(value) || !isObject(value["tools"])) return undefined;
  return new Map(Object.entries(value["tools"]).flatMap(([name, pin]) => fromPin(name, pin)));
}

function fromPin(name: string, pin: Json): readonly (readonly [string, HashedDefinition])[] {
  if (!isObject(pin) || typeof pin["hash"] !== "string" || !isObject(pin["definition"])) return [];
  return [[name, { hash: pin["hash"], definition: pin["definition"] as unknown as Definition }]];
}
