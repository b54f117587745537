import type { UserMessage } from "../../core/agent/message.ts";
import { contentText } from "../../util/text/content-text.ts";
import type { AgentRuntime, Task } from "../runtime/agent-runtime.ts";
import { maskContent, userMessage } from "../runtime/messages.ts";

/** Adds sent and incoming messages to the conversation; returns how many were added. */
export async function receiveMessages(task: Task): Promise<number> {
  const sent = await receiveSent(task);
  const incoming = (await task.agent.options.incoming?.()) ?? [];
  // They were handed over: they stay in the inbox until they are stored.
  task.inbox.push(...incoming.filter((message) => !isDropped(task, message)));
  return sent + (await receiveSent(task));
}

/** Adds sent messages to the conversation; a message that cannot be stored stays in the inbox. */
export async function receiveSent({ agent, inbox }: Task): Promise<number> {
  const { session, ledger } = agent;
  // Before the messages: the model answers the last one.
  if (inbox.length > 0) await addNews(agent, ledger.turn + 1);
  let count = 0;
  for (let message = inbox[0]; message !== undefined; message = inbox[0]) {
    await session.add(message, ledger.turn + 1);
    inbox.shift();
    count += 1;
  }
  return count;
}

/** Adds what has changed outside of the conversation as a message of this turn. */
export async function addNews({ options, session }: AgentRuntime, turn: number): Promise<void> {
  const news = options.news?.();
  if (news === undefined) return;
  await session.add(userMessage(news, { kind: "host", id: "news", name: "status" }), turn);
}

function isDropped({ agent: { options, emit }, hookGuard }: Task, message: UserMessage): boolean {
  const why = hookGuard.refuses(message);
  if (why === undefined) return false;
  const text = contentText(maskContent(message.content, options.engine.masker.text));
  emit({ type: "prompt.dropped", hook: message.from?.name ?? "", why, text });
  return true;
}
