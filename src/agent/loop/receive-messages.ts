import type { UserMessage } from "../../core/agent/message.ts";
import { contentText } from "../../util/text/content-text.ts";
import type { AgentRuntime, Task } from "../runtime/agent-runtime.ts";
import { maskContent } from "../runtime/messages.ts";

/** Adds sent and incoming messages to the conversation; returns how many were added. */
export async function receiveMessages(agent: AgentRuntime, task: Task): Promise<number> {
  const sent = await receiveSent(agent, task);
  const incoming = (await agent.options.incoming?.()) ?? [];
  // They were handed over: they stay in the inbox until they are stored.
  task.inbox.push(...incoming.filter((message) => !isDropped(agent, task, message)));
  return sent + (await receiveSent(agent, task));
}

/** Adds sent messages to the conversation; a message that cannot be stored stays in the inbox. */
export async function receiveSent({ session, ledger }: AgentRuntime, { inbox }: Task): Promise<number> {
  let count = 0;
  for (let message = inbox[0]; message !== undefined; message = inbox[0]) {
    await session.add(message, ledger.turn + 1);
    inbox.shift();
    count += 1;
  }
  return count;
}

function isDropped({ options, emit }: AgentRuntime, { hookGuard }: Task, message: UserMessage): boolean {
  const why = hookGuard.refuses(message);
  if (why === undefined) return false;
  const text = contentText(maskContent(message.content, options.engine.masker.text));
  emit({ type: "prompt.dropped", hook: message.from?.name ?? "", why, text });
  return true;
}
