import { createHash } from "node:crypto";
import type { Collection } from "../../../core/store/collection.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { Definition, HashedDefinition } from "./definition.ts";
import type { McpServer } from "../transport/server.ts";

/** The definitions of one server that the user has seen, by the tool's own name. */
export type PinnedTools = ReadonlyMap<string, HashedDefinition>;

/** What the user has seen of one server. */
export interface Pins {
  /** Undefined where the server has never been seen. */
  read(): Promise<PinnedTools | undefined>;
  /** What was pinned before; where nothing was, these are from now on. */
  readOrPin(seen: readonly HashedDefinition[]): Promise<PinnedTools>;
  /** Pins exactly these, whatever was pinned under their names. */
  approve(seen: readonly HashedDefinition[]): Promise<void>;
}

export interface PinsOptions {
  readonly collection: Collection;
  readonly name: string;
  readonly server: McpServer;
  /** The folder that the server came with; left out: it is the user's own. */
  readonly folder?: string;
}

/**
 * The pins of one server. They belong to what is started or called under the name, so that another program of the same name is
 * seen for the first time; its environment and headers, which change with every token, do not count.
 */
export function createPins({ collection, name, server, folder }: PinsOptions): Pins {
  const key = `${prefixOf(name)}${JSON.stringify(identityOf(server, folder))}]`;
  return {
    read: async () => fromDocument(await collection.get(key)),
    async readOrPin(seen) {
      // A server that lists nothing yet has not been seen.
      if (seen.length === 0) return fromDocument(await collection.get(key)) ?? new Map();
      const kept = await collection.update(key, (value) => value ?? toDocument(seen));
      return fromDocument(kept) ?? new Map();
    },
    async approve(seen) {
      await collection.update(key, (value) => {
        const before = isObject(value) && isObject(value["tools"]) ? value["tools"] : {};
        return { tools: { ...before, ...toTools(seen) } };
      });
    },
  };
}

/** Forgets every server of that name. */
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

/** Without what may be a token. */
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
