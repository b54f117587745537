import { hash } from "node:crypto";
import type { Collection } from "../../../core/store/collection.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Definition, HashedDefinition, PinChange } from "../types/source-types.ts";
import { createDocumentReader, TEXT, withFields } from "../../../schema/document-reader.ts";
import {
  currentProcess,
  isAlive,
  isSameProcess,
  type ProcessIdentity,
} from "../../../system/process/identity.ts";
import { defined } from "../../../util/json/defined.ts";
import type { McpServer } from "../transport/server.ts";
import { INSTRUCTIONS } from "./definition.ts";

/** The approved definitions of one server, by tool name. */
type PinnedTools = ReadonlyMap<string, HashedDefinition>;

/** Stores the approved definitions of one server. */
export type Pins = ReturnType<typeof createPins>;

interface PinsOptions {
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
export function createPins({ collection, name, server, folder }: PinsOptions) {
  const key = `${prefixOf(name)}${JSON.stringify(identityOf(server, folder))}]`;
  const isOwnerAlive = async (value: Json | undefined): Promise<boolean> => {
    const owner = ownerOf(value);
    if (!isObject(owner)) return false;
    return collection.isAlive?.(owner) ?? isAlive(owner as unknown as ProcessIdentity);
  };
  return {
    /** Returns undefined if the server was never used. */
    read: async (): Promise<PinnedTools | undefined> => fromDocument(await collection.get(key)),
    /** Returns the pinned definitions without those that the server did not list the last time; undefined if it was never used. */
    readListed: async (): Promise<PinnedTools | undefined> => {
      const stored = await collection.get(key);
      const dropped = droppedIn(stored);
      const pinned = fromDocument(stored);
      return pinned && new Map([...pinned].filter(([name]) => !dropped.includes(name)));
    },
    /** Returns the pinned definitions; if there are none, pins these. Notes which of them the server no longer lists. */
    async readOrPin(seen: readonly HashedDefinition[]): Promise<PinnedTools> {
      // A server that lists nothing yet is not pinned.
      if (seen.length === 0) return fromDocument(await collection.get(key)) ?? new Map();
      const stored = await collection.update(key, (value) =>
        withDropped(withInstructions(value ?? { tools: toTools(seen) }, seen), seen),
      );
      return fromDocument(stored) ?? new Map();
    },
    /** Pins exactly these, replacing earlier pins of the same names. */
    async approve(seen: readonly HashedDefinition[]): Promise<void> {
      await collection.update(key, (value) => {
        const before = isObject(value) && isObject(value["tools"]) ? value["tools"] : {};
        const waiting = [...pendingIn(value).values()].filter(
          ({ hash }) => !seen.some((one) => one.hash === hash),
        );
        const tools = { ...before, ...toTools(seen) };
        return { tools, ...toDropped(droppedIn(value), seen), ...toPending(waiting, ownerOf(value)) };
      });
    },
    /**
     * Stores the definitions that this process is offered and that are not approved, for `mcp list` and `mcp approve`. Returns all that
     * wait: also those of another running process, which its server may list for no other client.
     */
    async notePending(seen: readonly HashedDefinition[]): Promise<readonly HashedDefinition[]> {
      const stored = await collection.get(key);
      const owner = JSON.stringify(ownerOf(stored));
      const isRunning = await isOwnerAlive(stored);
      // An owner that another process noted in the meantime has just run.
      const all = (value: Json | undefined): readonly HashedDefinition[] =>
        isRunning || JSON.stringify(ownerOf(value)) !== owner
          ? [...seen, ...offeredElsewhere(value, seen)]
          : seen;
      const before = JSON.stringify(toTools([...pendingIn(stored).values()]));
      if (before === JSON.stringify(toTools(all(stored)))) return all(stored);
      const noted = await collection.update(key, (value) => {
        if (!isObject(value)) return value;
        const isShared = all(value).length > seen.length;
        const next = isShared ? ownerOf(value) : { ...currentProcess() };
        const { tools = {} } = value;
        return { tools, ...toDropped(droppedIn(value)), ...toPending(all(value), next) };
      });
      return [...pendingIn(noted).values()];
    },
    /** Returns the definitions that a process was offered last and that are not approved, and whether that process still runs. */
    async pending() {
      const value = await collection.get(key);
      return { definitions: [...pendingIn(value).values()], isRunning: await isOwnerAlive(value) };
    },
  };
}

/** Adds the instructions to pins from before these were recorded: they have not changed by that. */
function withInstructions(value: Json, seen: readonly HashedDefinition[]): Json {
  const own = seen.filter(({ definition }) => definition.name === INSTRUCTIONS);
  if (!isObject(value) || !isObject(value["tools"]) || Object.hasOwn(value["tools"], INSTRUCTIONS))
    return value;
  return { ...value, tools: { ...value["tools"], ...toTools(own) } };
}

/** Notes the pinned definitions that are not among these: the server may list them again, unchanged. */
function withDropped(value: Json, seen: readonly HashedDefinition[]): Json {
  if (!isObject(value) || !isObject(value["tools"])) return value;
  const { dropped: _before, ...rest } = value;
  return { ...rest, ...toDropped(Object.keys(value["tools"]), seen) };
}

function toDropped(names: readonly string[], listed: readonly HashedDefinition[] = []): JsonObject {
  const dropped = names.filter((name) => !listed.some(({ definition }) => definition.name === name));
  return dropped.length === 0 ? {} : { dropped };
}

function droppedIn(value: Json | undefined): readonly string[] {
  const dropped = isObject(value) ? value["dropped"] : undefined;
  return Array.isArray(dropped) ? dropped.filter((name) => typeof name === "string") : [];
}

function pendingIn(value: Json | undefined): PinnedTools {
  return fromDocument({ tools: (isObject(value) ? value["pending"] : undefined) ?? {} }) ?? new Map();
}

function ownerOf(value: Json | undefined): Json | undefined {
  return isObject(value) ? value["owner"] : undefined;
}

/** Returns what another process is offered besides these, and is not approved. */
function offeredElsewhere(
  value: Json | undefined,
  seen: readonly HashedDefinition[],
): readonly HashedDefinition[] {
  const owner = ownerOf(value);
  if (!isObject(owner) || isSameProcess(owner as unknown as ProcessIdentity, currentProcess())) return [];
  const names = new Set(seen.map(({ definition }) => definition.name));
  return [...pendingIn(value).values()].filter(({ definition }) => !names.has(definition.name));
}

function toPending(seen: readonly HashedDefinition[], owner: Json | undefined): JsonObject {
  return seen.length === 0 ? {} : { pending: toTools(seen), ...defined({ owner }) };
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
  return hash("sha256", JSON.stringify([server.kind, what, folder ?? null]));
}

/** Removes the query, which may hold a token. */
function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
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
  const pins = Object.entries(value["tools"]).map(([name, pin]) => [name, readPin(pin)] as const);
  return new Map(pins.flatMap(([name, pin]) => (pin === undefined ? [] : [[name, pin]])));
}

const readPin = createDocumentReader<HashedDefinition>(
  withFields({ hash: TEXT, definition: withFields({}) }),
);

/** How many unchanged characters are shown on either side of a difference. */
const CONTEXT = 60;

/** Returns the listed tools that differ from the pinned ones. */
export function pinChanges(pinned: PinnedTools, seen: readonly HashedDefinition[]): readonly PinChange[] {
  return seen.flatMap((one) => {
    const tool = one.definition.name;
    const before = pinned.get(tool);
    if (before?.hash === one.hash) return [];
    const lines = differences("", toJson(before?.definition), toJson(one.definition));
    return [{ tool, seen: one, wasPinned: before !== undefined, lines }];
  });
}

/** Omits the name, which is the heading of the lines. */
function toJson(definition: Definition | undefined): JsonObject {
  const { name: _name, ...rest } = definition ?? { name: "" };
  return rest;
}

function differences(path: string, before: Json | undefined, after: Json | undefined): readonly string[] {
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      differences(path === "" ? key : `${path}/${key}`, own(before, key), own(after, key)),
    );
  }
  const [was, is] = [textOf(before), textOf(after)];
  if (was === is) return [];
  const [from, to] = sameEnds(was, is);
  return [
    ...(before === undefined ? [] : [`- ${path}: ${part(was, from, was.length - to)}`]),
    ...(after === undefined ? [] : [`+ ${path}: ${part(is, from, is.length - to)}`]),
  ];
}

function textOf(value: Json | undefined): string {
  return value === undefined ? "" : JSON.stringify(value);
}

/** Returns the lengths of the common prefix and, after it, the common suffix. */
function sameEnds(a: string, b: string): readonly [number, number] {
  const most = Math.min(a.length, b.length);
  let first = 0;
  while (first < most && a[first] === b[first]) first += 1;
  let last = 0;
  while (last < most - first && a[a.length - 1 - last] === b[b.length - 1 - last]) last += 1;
  return [first, last];
}

/** Returns the text around a difference. */
function part(text: string, from: number, to: number): string {
  const [start, end] = [from - CONTEXT, to + CONTEXT];
  const excerpt = text.slice(Math.max(0, start), end).toWellFormed();
  return `${start > 0 ? "…" : ""}${excerpt}${end < text.length ? "…" : ""}`;
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
