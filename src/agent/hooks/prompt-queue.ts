import { randomUUID } from "node:crypto";
import type { Collection, Collections } from "../../core/store/collection.ts";
import type { Json } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";

/** Something that a hook wants the agent to do. A type and not an interface, so that it counts as JSON. */
export type QueuedPrompt = {
  readonly id: string;
  readonly hook: string;
  readonly text: string;
  /** Left out where it belongs to no session: then it is for whoever comes first. */
  readonly session?: string;
  /** The file it is about. */
  readonly file?: string;
  /** Milliseconds since 1970. */
  readonly queuedAt: number;
};

export interface NewPrompt {
  readonly hook: string;
  readonly text: string;
  readonly session?: string;
  /** The file it is about: of one hook and one file only one prompt waits at a time. */
  readonly file?: string;
}

/** Prompts that wait for the agent. What is kept survives a restart, and each is taken once, whoever asks. */
export interface PromptQueue {
  /** False where a prompt of this hook about this file is waiting already: then nothing is added. */
  add(prompt: NewPrompt): Promise<boolean>;
  /** Takes those of a session and those of none out of the queue, oldest first. */
  take(session: string): Promise<readonly QueuedPrompt[]>;
}

const NO_SESSION = "";
/** So many prompts wait; those that have waited longest are forgotten. */
const MAX_PROMPTS = 200;

/** The queue of a store: the same for whoever opens it, the hooks that fill it and the agent that empties it. */
export function openPromptQueue(collections: Collections): PromptQueue {
  return createPromptQueue(collections.open("hook-prompts", { limit: MAX_PROMPTS }));
}

function createPromptQueue(collection: Collection): PromptQueue {
  const takeFrom = async (session: string): Promise<readonly QueuedPrompt[]> => {
    const waiting = await collection.list({ prefix: prefixOf(session) });
    const taken: QueuedPrompt[] = [];
    for (const { key, value } of waiting) {
      // Whoever deletes it has it: of several processes one.
      if ((await collection.delete(key)) && isPrompt(value)) taken.push(value);
    }
    return taken;
  };
  return {
    async add({ hook, text, session, file }) {
      const prompt: QueuedPrompt = {
        id: randomUUID(),
        hook,
        text,
        ...(session === undefined ? {} : { session }),
        ...(file === undefined ? {} : { file }),
        queuedAt: Date.now(),
      };
      const key = JSON.stringify([session ?? NO_SESSION, hook, file ?? ""]);
      const kept = await collection.update(key, (waiting) => (isPrompt(waiting) ? waiting : prompt));
      return isPrompt(kept) && kept.id === prompt.id;
    },
    async take(session) {
      const taken = [...(await takeFrom(session)), ...(await takeFrom(NO_SESSION))];
      return taken.toSorted((a, b) => a.queuedAt - b.queuedAt);
    },
  };
}

/** What the keys of a session begin with, and those of no other. */
function prefixOf(session: string): string {
  return `${JSON.stringify([session]).slice(0, -1)},`;
}

function isPrompt(value: Json | undefined): value is QueuedPrompt {
  if (!isObject(value)) return false;
  return ["id", "hook", "text"].every((key) => typeof value[key] === "string");
}
