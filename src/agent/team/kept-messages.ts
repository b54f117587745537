import type { Collections } from "../../core/collection.ts";
import type { Json } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { TeamMessage } from "../../core/team.ts";
import { PRIORITIES } from "../../core/team.ts";

/** Messages that were not read yet, for a process that comes after this one. */
export interface KeptMessages {
  add(message: TeamMessage): Promise<void>;
  remove(message: TeamMessage): Promise<void>;
  load(to: string): Promise<readonly TeamMessage[]>;
  /** Settles when all that was begun is done; never rejects. */
  flush(): Promise<void>;
}

/** So many wait in all; those that have waited longest are forgotten. */
const MAX_KEPT = 10_000;

/** Without collections nothing is kept beyond the team. */
export function keptMessages(collections: Collections | undefined): KeptMessages {
  if (collections === undefined) return NOT_KEPT;
  const collection = collections.open("team-messages", { limit: MAX_KEPT });
  let last: Promise<unknown> = Promise.resolve();
  // One after the other, so that no message is removed before it is there.
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    add: (message) => inOrder(() => collection.set(keyOf(message), toJson(message))),
    remove: (message) => inOrder(async () => void (await collection.delete(keyOf(message)))),
    async load(to) {
      const documents = await collection.list({ prefix: prefixOf(to) });
      return documents.flatMap(({ value }) => (isMessage(value) ? [value] : []));
    },
    flush: async () => void (await last),
  };
}

const NOT_KEPT: KeptMessages = {
  add: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  load: () => Promise.resolve([]),
  flush: () => Promise.resolve(),
};

function keyOf({ to, id }: TeamMessage): string {
  return `${prefixOf(to)}${id}`;
}

/** With its length in front no receiver can be read as another. */
function prefixOf(to: string): string {
  return `${to.length}:${to}:`;
}

function toJson({ from, ...message }: TeamMessage): Json {
  return { ...message, from: { ...from } };
}

function isMessage(value: Json): value is Json & TeamMessage {
  if (!isObject(value) || !isObject(value["from"])) return false;
  const texts = [value["id"], value["to"], value["type"], value["text"], value["from"]["id"]];
  const isKnown = PRIORITIES.some((one) => one === value["priority"]);
  return isKnown && typeof value["at"] === "number" && texts.every((text) => typeof text === "string");
}
