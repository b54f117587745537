import { randomUUID } from "node:crypto";
import type { Usage } from "../../core/agent/model.ts";
import type { Turn } from "../../core/agent/turn.ts";
import { accountFor } from "../budget/account.ts";
import type { AgentParts } from "../parts/agent-parts.ts";
import { askModel } from "./ask-model.ts";
import { heedAnswer } from "./heed-answer.ts";
import type { Outcome } from "../parts/running-agent.ts";
import { stopSpent } from "../budget/spend.ts";
import { takeIn } from "./take-in.ts";
import type { Task } from "../parts/task.ts";

/** Turn after turn, until the model is done or something stops the task. What fails is thrown. */
export async function takeTurns(agent: AgentParts, task: Task): Promise<Outcome> {
  const { course } = task;
  if ((await takeIn(agent, task)) === 0 && !isUnanswered(agent)) return { kind: "answered", text: "" };
  for (;;) {
    const outcome = task.stopped() ?? stopSpent(agent, task) ?? (await takeTurn(agent, task));
    if (outcome?.kind === "stopped" || course.isFinished) return outcome ?? { kind: "answered", text: "" };
    await agent.doBetweenTurns(task);
    const isMore = (await takeIn(agent, task)) > 0;
    if (outcome === undefined || isMore || task.inbox.length > 0) continue;
    course.isOpen = false;
    // Whoever was told that it ends sees it end; an answer that came in the last moment of its time is an answer.
    return isCancelled(task) ? (task.stopped() ?? outcome) : outcome;
  }
}

function isCancelled(task: Task): boolean {
  return task.stopped()?.why === "cancelled";
}

/** True where the conversation was left before the model had its say. */
function isUnanswered({ session }: AgentParts): boolean {
  const last = session.messages().at(-1)?.message;
  return last !== undefined && last.role !== "assistant";
}

/** One request, and the calls of its answer. Undefined where the task goes on. */
async function takeTurn(agent: AgentParts, task: Task): Promise<Outcome | undefined> {
  const turn: Turn = { number: agent.ledger.nextTurn(), traceId: randomUUID().replaceAll("-", "") };
  agent.tell({ type: "turn.started", turn: turn.number, traceId: turn.traceId });
  await agent.states.enter("waiting_for_model");
  const answer = await askModel(agent, task);
  task.meter.spend({ turns: 1 });
  if ("cut" in answer) {
    await keepCut(agent, task, answer.cut);
    agent.tell({ type: "turn.ended", turn: turn.number, usage: NO_USAGE, cost: undefined });
    return task.stopped();
  }
  const cost = await accountFor(agent, task, answer);
  const outcome = await heedAnswer(agent, task, { turn, answer });
  agent.tell({ type: "turn.ended", turn: turn.number, usage: answer.usage, cost });
  return outcome;
}

/** A provider says what an answer used only at its end. */
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/** What had arrived when the request was ended stays, and says so. */
async function keepCut({ session, ledger }: AgentParts, task: Task, cut: string): Promise<void> {
  if (cut.trim() === "") return;
  const text = `${cut}\n\n[cut off here: ${task.stopped()?.detail}]`;
  await session.add({ role: "assistant", parts: [{ type: "text", text }] }, ledger.turn);
}
