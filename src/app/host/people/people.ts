import { createHash } from "node:crypto";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json } from "../../../core/json.ts";
import type { Collection, Collections } from "../../../core/store/collection.ts";
import { createDocumentReader } from "../../../schema/document-reader.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import type { Identity } from "./identity.ts";
import { PersonShape, type Person } from "./person.ts";
import { openTokens, type PersonalTokens } from "./personal-tokens.ts";

/** Changes of a person. */
export type PersonChange = Partial<Pick<Person, "roles" | "groups" | "isDisabled">>;

/** The people of a store and their tokens. A change holds at once in every process that uses the store. */
export interface People extends PersonalTokens {
  /** Returns all that were not removed, by name. */
  list(): Promise<readonly Person[]>;
  /** Returns undefined for an unknown name. */
  get(name: string): Promise<Person | undefined>;
  /**
   * Returns the person with this id at this provider, whose groups are those that the provider named last. Someone who was never here is added, under the
   * name that they would like or one near it, if `mayJoin` says so. Returns undefined for others, and for someone who was removed.
   */
  identify(identity: Identity, mayJoin: (groups: readonly string[]) => boolean): Promise<Person | undefined>;
  /** Adds a person. Rejects with `INVALID_INPUT` for a name that is or was in use, or that no person can have. */
  add(person: Pick<Person, "name" | "roles" | "groups">): Promise<Person>;
  /** Returns the person as changed. Rejects with `INVALID_INPUT` for an unknown name. */
  change(name: string, change: PersonChange): Promise<Person>;
  /** Removes a person and their tokens for good. Rejects with `INVALID_INPUT` for an unknown name. */
  remove(name: string): Promise<void>;
}

const NAME = /^[a-z0-9][a-z0-9._@+-]{0,63}$/;
const readPerson = createDocumentReader(PersonShape);

/** Opens the people of a store. Stores nothing until a person is added. */
export function openPeople(collections: Collections, now: () => number = Date.now): People {
  const people = collections.open("people");
  const names = collections.open("people-identities");
  const get = async (name: string): Promise<Person | undefined> => presentPerson(await people.get(name));
  const list = async (): Promise<readonly Person[]> =>
    (await people.list()).flatMap(({ value }) => presentPerson(value) ?? []);
  const unknown = async (name: string): Promise<ToolError> => {
    const names = (await list()).map((person) => person.name);
    const hint = "toolwright user list shows everybody";
    return unknownName(`no person is named ${JSON.stringify(name)}`, name, names, hint);
  };
  /** Replaces a person who was not removed. */
  const replace = async (name: string, toNext: (person: Person) => Person): Promise<Person> => {
    let next: Person | undefined;
    await people.update(name, (stored) => {
      const person = presentPerson(stored);
      next = person && toNext(person);
      return next === undefined ? stored : toJson(next);
    });
    if (next === undefined) throw await unknown(name);
    return next;
  };
  const requirePerson = async (name: string): Promise<void> => {
    if ((await get(name)) === undefined) throw await unknown(name);
  };
  const tokens = openTokens(collections, { get, requirePerson, now });
  /** Adds a person unless the name is or was in use; then returns what is stored under it. */
  const addNew = async (person: Person): Promise<Json | undefined> => {
    let other: Json | undefined;
    await people.update(person.name, (stored) => {
      other = stored;
      return stored ?? toJson(person);
    });
    return other;
  };
  const join = createJoin({ people, names, addNew, now });
  return {
    ...tokens,
    list,
    get,
    identify: createIdentify({ names, get, join, replace }),
    async add({ name, roles, groups }) {
      checkName(name);
      const person = { ...newPerson(now()), name, roles, groups };
      const other = await addNew(person);
      if (other !== undefined) throw takenName(name, presentPerson(other) === undefined);
      return person;
    },
    change: (name, change) => replace(name, (person) => ({ ...person, ...change })),
    async remove(name) {
      await replace(name, (person) => ({ ...person, removedAt: now() }));
      for (const { id, person } of await tokens.tokens()) if (person === name) await tokens.revokeToken(id);
    },
  };
}

interface IdentifyParts extends Pick<People, "get"> {
  readonly names: Collection;
  readonly join: (key: string, identity: Identity) => Promise<string>;
  readonly replace: (name: string, toNext: (person: Person) => Person) => Promise<Person>;
}

/** Creates the function that finds people by their id at a provider. */
function createIdentify({ names, get, join, replace }: IdentifyParts): People["identify"] {
  return async (identity, mayJoin) => {
    const { issuer, subject, groups, at } = identity;
    const key = createHash("sha256")
      .update(JSON.stringify([issuer, subject]))
      .digest("hex");
    const stored = await names.get(key);
    if (stored === undefined && !mayJoin(groups ?? [])) return undefined;
    const name = ownerOf(stored) ?? (await join(key, identity));
    const person = await get(name);
    if (person === undefined || groups === undefined || at <= (person.identity?.at ?? 0)) return person;
    return replace(name, (current) => ({
      ...current,
      groups: [...groups],
      identity: { issuer, subject, at },
    }));
  };
}

interface JoinParts {
  readonly people: Collection;
  readonly names: Collection;
  readonly addNew: (person: Person) => Promise<Json | undefined>;
  readonly now: () => number;
}

/** Creates the function that adds somebody who logs in for the first time, and returns their name. */
function createJoin({ people, names, addNew, now }: JoinParts) {
  return async (key: string, { issuer, subject, name, groups, at }: Identity): Promise<string> => {
    const identity = { issuer, subject, at };
    const wanted = nameFrom(name);
    for (let count = 1; ; count += 1) {
      const free = count === 1 ? wanted : `${wanted}-${count}`;
      const person = { ...newPerson(now()), name: free, groups: [...(groups ?? [])], identity };
      if ((await addNew(person)) !== undefined) continue;
      const claimed = await names.update(key, (stored) => stored ?? { person: free });
      const owner = ownerOf(claimed) ?? free;
      // The same person came at another process at the same time.
      if (owner !== free) await people.delete(free);
      return owner;
    }
  };
}

function newPerson(createdAt: number) {
  return {
    roles: [] as readonly string[],
    groups: [] as readonly string[],
    isDisabled: false,
    createdAt,
    removedAt: null,
  };
}

/** Returns a name that a person can have, near the one that they would like; a number still fits behind it. */
function nameFrom(wanted: string): string {
  const letters = wanted.toLowerCase().replaceAll(/[^a-z0-9._@+-]+/g, "-");
  return letters.replace(/^[^a-z0-9]+/, "").slice(0, 56) || "person";
}

/** Returns the name of the person whose identity is stored. */
function ownerOf(stored: Json | undefined): string | undefined {
  const person = isObject(stored) ? stored["person"] : undefined;
  return typeof person === "string" ? person : undefined;
}

/** Returns a stored person; undefined for one that was removed. */
function presentPerson(stored: Json | undefined): Person | undefined {
  const person = readPerson(stored);
  return person?.removedAt === null ? person : undefined;
}

function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new ToolError("INVALID_INPUT", `a person cannot be named ${JSON.stringify(name)}`, {
    hint: "use up to 64 lower-case letters, digits, and . _ @ + - after the first",
  });
}

function takenName(name: string, wasRemoved: boolean): ToolError {
  return wasRemoved
    ? new ToolError("INVALID_INPUT", `a person named ${JSON.stringify(name)} was removed`, {
        hint: "their calls are recorded under this name: choose another",
      })
    : new ToolError("INVALID_INPUT", `there is already a person named ${JSON.stringify(name)}`, {
        hint: `toolwright user set ${name} changes roles and groups`,
      });
}

function toJson(value: object): Json {
  return value as unknown as Json;
}
