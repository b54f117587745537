import type { UserMessage } from "../../core/agent/message.ts";
import type { PromptQueue, QueuedPrompt } from "./prompt-queue.ts";
import { userMessage } from "../runtime/messages.ts";

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
