import { randomUUID } from "node:crypto";
import type { Collections } from "../../core/store/collection.ts";
import { createDocumentReader, TEXT, withFields } from "../../schema/document-reader.ts";
import type { UserMessage } from "../../core/agent/message.ts";
import { userMessage } from "../runtime/messages.ts";

/** A prompt of a hook for an agent. A type, not an interface, so that it is assignable to JSON. */
type QueuedPrompt = {
  readonly id: string;
  readonly hook: string;
  readonly text: string;
  /** Without a session the first agent gets it. */
  readonly session?: string;
  /** The file it is about. Only one prompt waits for each hook and file. */
  readonly file?: string;
  /** Milliseconds since 1970. */
  readonly queuedAt: number;
};

/** Prompts that wait for an agent. They are stored, and each is taken once, by one process. */
export type PromptQueue = ReturnType<typeof openPromptQueue>;

const NO_SESSION = "";
/** How many prompts are stored; the oldest are dropped. */
const MAX_PROMPTS = 200;

/** Opens the queue of a store, which hooks fill and agents empty. */
export function openPromptQueue(collections: Collections) {
  const collection = collections.open("hook-prompts", { limit: MAX_PROMPTS });
  const takeFrom = async (session: string): Promise<readonly QueuedPrompt[]> => {
    const waiting = await collection.list({ prefix: prefixOf(session) });
    const taken: QueuedPrompt[] = [];
    for (const { key, value } of waiting) {
      // Only one process succeeds in deleting it.
      const prompt = readPrompt(value);
      if ((await collection.delete(key)) && prompt !== undefined) taken.push(prompt);
    }
    return taken;
  };
  return {
    /** Adds nothing and returns false if a prompt of this hook about this file is waiting. */
    async add(given: Omit<QueuedPrompt, "id" | "queuedAt">): Promise<boolean> {
      const prompt: QueuedPrompt = { id: randomUUID(), ...given, queuedAt: Date.now() };
      const { session = NO_SESSION, hook, file = "" } = given;
      const key = JSON.stringify([session, hook, file]);
      const stored = await collection.update(key, (waiting) => readPrompt(waiting) ?? prompt);
      return readPrompt(stored)?.id === prompt.id;
    },
    /** Removes and returns the prompts of a session and those without one, oldest first. */
    async take(session: string): Promise<readonly QueuedPrompt[]> {
      const taken = [...(await takeFrom(session)), ...(await takeFrom(NO_SESSION))];
      return taken.toSorted((a, b) => a.queuedAt - b.queuedAt);
    },
  };
}

/** Returns the prefix that only the keys of this session have. */
function prefixOf(session: string): string {
  return `${JSON.stringify([session]).slice(0, -1)},`;
}

const readPrompt = createDocumentReader<QueuedPrompt>(withFields({ id: TEXT, hook: TEXT, text: TEXT }));

/** Returns a source for `AgentOptions.incoming` with the prompts of hooks. Each prompt is returned once. */
export function hookMessages(queue: PromptQueue, session: string): () => Promise<readonly UserMessage[]> {
  return async () => (await queue.take(session)).map(toMessage);
}

/** The sender's id contains the file, so that one hook can send a prompt for each file. */
function toMessage({ hook, file, text }: QueuedPrompt): UserMessage {
  const about = file === undefined ? "" : ` about ${file}`;
  return userMessage(`[hook ${hook}${about}]\n${text}`, {
    kind: "hook",
    id: JSON.stringify(file === undefined ? [hook] : [hook, file]),
    name: hook,
  });
}
