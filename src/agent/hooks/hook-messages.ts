import type { UserMessage } from "../../core/agent/message.ts";
import type { PromptQueue, QueuedPrompt } from "./prompt-queue.ts";
import { userMessage } from "../runtime/messages.ts";

/** What hooks want of an agent, as messages that wait for it: a source for `AgentOptions.incoming`. Each prompt is given once. */
export function hookMessages(queue: PromptQueue, session: string): () => Promise<readonly UserMessage[]> {
  return async () => (await queue.take(session)).map(toMessage);
}

/** The sender's id tells prompts of one hook about different files apart. */
function toMessage({ hook, file, text }: QueuedPrompt): UserMessage {
  const about = file === undefined ? "" : ` about ${file}`;
  return userMessage(`[hook ${hook}${about}]\n${text}`, {
    kind: "hook",
    id: JSON.stringify(file === undefined ? [hook] : [hook, file]),
    name: hook,
  });
}
