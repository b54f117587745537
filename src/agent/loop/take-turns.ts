import { randomUUID } from "node:crypto";
import type { Usage } from "../../core/agent/model.ts";
import type { Turn } from "../../core/agent/turn.ts";
import type { AgentRuntime, Task } from "../runtime/agent-runtime.ts";
import type { Outcome } from "../runtime/outcome.ts";
import { askModel } from "./ask-model.ts";
import { handleAnswer } from "./handle-answer.ts";
import { addNews, receiveMessages } from "./receive-messages.ts";

/** Takes turns until the model is done or the task is stopped. Throws if the task fails. */
export async function takeTurns(task: Task): Promise<Outcome> {
  const { agent, progress } = task;
  const received = await receiveMessages(task);
  if (received === 0 && !isUnanswered(agent)) return { kind: "answered", text: "" };
  for (;;) {
    const outcome = task.stopped() ?? task.stopIfSpent() ?? (await takeTurn(task));
    if (outcome?.kind === "stopped" || progress.isFinished) return outcome ?? { kind: "answered", text: "" };
    await agent.runBetweenTurns(task);
    const isMore = (await receiveMessages(task)) > 0;
    if (outcome === undefined || isMore || task.inbox.length > 0) continue;
    progress.isOpen = false;
    // A cancelled task ends as cancelled; an answer that arrives as the time runs out still counts.
    const stopped = task.stopped();
    return stopped?.why === "cancelled" ? stopped : outcome;
  }
}

/** True if the conversation ends without an answer of the model. */
function isUnanswered({ session }: AgentRuntime): boolean {
  const last = session.messages().at(-1)?.message;
  return last !== undefined && last.role !== "assistant";
}

/** Makes one request and runs the calls of its answer. Returns undefined if the task continues. */
async function takeTurn(task: Task): Promise<Outcome | undefined> {
  const { agent } = task;
  const turn: Turn = { number: agent.ledger.nextTurn(), traceId: randomUUID().replaceAll("-", "") };
  agent.emit({ type: "turn.started", turn: turn.number, traceId: turn.traceId });
  await agent.states.enter("waiting_for_model");
  const missing = await agent.options.ready?.(task.signal);
  // A turn that was cancelled meanwhile makes no request.
  if (!task.signal.aborted) reportLate(agent, missing ?? []);
  await addNews(agent, turn.number);
  await setTurn(task);
  const answer = await askModel(task);
  task.meter.spend({ turns: 1 });
  if ("partialText" in answer) {
    await addPartialAnswer(task, answer.partialText);
    agent.emit({ type: "turn.ended", turn: turn.number, usage: NO_USAGE, cost: undefined });
    return task.stopped();
  }
  agent.counted.inputTokens = answer.usage.inputTokens;
  const cost = await agent.ledger.charge(answer, task.meter);
  const outcome = await handleAnswer(task, turn, answer);
  agent.emit({ type: "turn.ended", turn: turn.number, usage: answer.usage, cost });
  return outcome;
}

/** Reports each source once whose tools a request lacks. */
function reportLate({ late, emit }: AgentRuntime, sources: readonly string[]): void {
  const fresh = sources.filter((source) => !late.has(source));
  for (const source of fresh) late.add(source);
  if (fresh.length > 0) emit({ type: "tools.late", sources: fresh });
}

/** Has the host set the tools of the turn. */
async function setTurn({ agent: { options, session }, progress }: Task): Promise<void> {
  progress.turns += 1;
  const messages = session.messages().map(({ message }) => message);
  progress.settings = (await options.eachTurn?.({ turn: progress.turns, messages })) ?? {};
}

/** Providers report the usage only at the end of an answer. */
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/** Adds the text that had arrived when the request was aborted, with a note that it is incomplete. */
async function addPartialAnswer(task: Task, partial: string): Promise<void> {
  const { session, ledger } = task.agent;
  if (partial.trim() === "") return;
  const text = `${partial}\n\n[cut off here: ${task.stopped()?.detail}]`;
  await session.add({ role: "assistant", parts: [{ type: "text", text }] }, ledger.turn);
}
