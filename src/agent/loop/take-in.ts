import type { UserMessage } from "../../core/agent/message.ts";
import type { AgentParts } from "../parts/agent-parts.ts";
import { maskContent } from "../parts/mask-message.ts";
import { contentText } from "../../util/text/content-text.ts";
import type { Task } from "../parts/task.ts";

/** Takes what was sent and what waits into the conversation; gives back how many messages that were. */
export async function takeIn(agent: AgentParts, task: Task): Promise<number> {
  const sent = await takeSent(agent, task);
  const waiting = (await agent.options.incoming?.()) ?? [];
  // Nobody else has them any more: like what was sent they stay until they are kept.
  task.inbox.push(...waiting.filter((message) => !isDropped(agent, task, message)));
  return sent + (await takeSent(agent, task));
}

/** Takes what was sent into the conversation; what cannot be kept stays to be read later. */
export async function takeSent({ session, ledger }: AgentParts, { inbox }: Task): Promise<number> {
  let count = 0;
  for (let message = inbox[0]; message !== undefined; message = inbox[0]) {
    await session.add(message, ledger.turn + 1);
    inbox.shift();
    count += 1;
  }
  return count;
}

function isDropped({ options, tell }: AgentParts, { hookGuard }: Task, message: UserMessage): boolean {
  const why = hookGuard.refuses(message);
  if (why === undefined) return false;
  const text = contentText(maskContent(message.content, options.engine.masker.text));
  tell({ type: "prompt.dropped", hook: message.from?.name ?? "", why, text });
  return true;
}
