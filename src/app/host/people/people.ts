import { ToolError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import type { Collections } from "../../../core/store/collection.ts";
import { createDocumentReader } from "../../../schema/document-reader.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { PersonShape, type Person } from "./person.ts";
import { openTokens, type PersonalTokens } from "./personal-tokens.ts";

/** Changes of a person. */
export type PersonChange = Partial<Pick<Person, "roles" | "groups" | "isDisabled">>;

/** The people of a store and their tokens. A change holds at once in every process that uses the store. */
export interface People extends PersonalTokens {
  /** Returns all that were not removed, by name. */
  list(): Promise<readonly Person[]>;
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
  return {
    ...tokens,
    list,
    async add({ name, roles, groups }) {
      checkName(name);
      const person = { name, roles, groups, isDisabled: false, createdAt: now(), removedAt: null };
      let other: Json | undefined;
      await people.update(name, (stored) => {
        other = stored;
        return stored ?? toJson(person);
      });
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
