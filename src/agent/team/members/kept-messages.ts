import type { Collections } from "../../../core/store/collection.ts";
import type { Json } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { TeamMessage } from "../../../core/agent/team.ts";
import { PRIORITIES } from "../../../core/agent/team.ts";
import { createSerializer } from "../../../util/async/serialize.ts";

/** Messages that were not read yet, by the session of the receiver: for a process that takes it up after this one. */
export interface KeptMessages {
  add(session: string, message: TeamMessage): Promise<void>;
  remove(session: string, message: TeamMessage): Promise<void>;
  load(session: string): Promise<readonly TeamMessage[]>;
  /** Settles when all that was begun is done; never rejects. */
  flush(): Promise<void>;
}

/** So many wait in all; those that have waited longest are forgotten. */
const MAX_KEPT = 10_000;

/** Without collections nothing is kept beyond the team. */
export function keptMessages(collections: Collections | undefined): KeptMessages {
  if (collections === undefined) return NOT_KEPT;
  const collection = collections.open("team-messages", { limit: MAX_KEPT });
  // In order, so that no message is removed before it is added.
  const inOrder = createSerializer();
  return {
    add: (session, message) => inOrder(() => collection.set(keyOf(session, message), toJson(message))),
    remove: (session, message) =>
      inOrder(async () => void (await collection.delete(keyOf(session, message)))),
    async load(session) {
      const documents = await collection.list({ prefix: prefixOf(session) });
      return documents.flatMap(({ value }) => (isMessage(value) ? [value] : []));
    },
    flush: () => inOrder(async () => undefined),
  };
}

const NOT_KEPT: KeptMessages = {
  add: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  load: () => Promise.resolve([]),
  flush: () => Promise.resolve(),
};

function keyOf(session: string, { id }: TeamMessage): string {
  return `${prefixOf(session)}${id}`;
}

/** With its length in front no session can be read as another. */
function prefixOf(session: string): string {
  return `${session.length}:${session}:`;
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
