import type { ToolCall } from "../../core/call.ts";
import { ToolError } from "../../core/errors.ts";
import type { AssistantPart } from "../../core/agent/message.ts";
import { callsOf } from "../../core/agent/message.ts";
import type { Turn } from "../../core/agent/turn.ts";
import { activeGoal } from "../../tools/memory/goals/goals.ts";
import { recordReasoning } from "../../tools/memory/goals/reasoning.ts";
import type { AgentParts } from "../parts/agent-parts.ts";
import { concludeAnswer, refusedAnswer } from "./conclude-answer.ts";
import { heedLoop } from "./heed-loop.ts";
import { guardMessage } from "../parts/message-text.ts";
import { runCalls } from "./run-calls.ts";
import type { Outcome } from "../parts/running-agent.ts";
import { stopAt, warnOfBudget } from "../budget/spend.ts";
import type { Answer } from "./stream-answer.ts";
import type { Task } from "../parts/task.ts";
import { tidyParts } from "./tidy-parts.ts";
import { textOf } from "../../util/text/text-of.ts";

interface Heard {
  readonly turn: Turn;
  readonly answer: Answer;
}

/** Does what the model's answer asks for. Undefined where the task goes on. */
export async function heedAnswer(
  agent: AgentParts,
  task: Task,
  { turn, answer }: Heard,
): Promise<Outcome | undefined> {
  const { session } = agent;
  const parts = tidyParts(answer.parts, answer.reason, session.callIds());
  const message = { role: "assistant", parts } as const;
  await keepReasoning(agent, turn, parts);
  warnOfBudget(agent, task);
  const calls = callsOf(message);
  const text = textOf(message.parts, "");
  if (calls.length === 0 && text.trim() === "") return heedNothing(agent, task, answer);
  task.course.empty = 0;
  // Before a call runs it is kept that it was made: whoever takes up the session knows what to answer.
  await session.add(message, turn.number);
  if (calls.length === 0) return concludeAnswer(agent, task, { text, reason: answer.reason });
  task.course.pieces = [];
  const outcome = await heedCalls(agent, task, { turn, calls });
  if (answer.reason === "refused") throw refusedAnswer();
  return task.course.isFinished && outcome === undefined ? { kind: "answered", text } : outcome;
}

async function heedCalls(
  agent: AgentParts,
  task: Task,
  { turn, calls }: { readonly turn: Turn; readonly calls: readonly ToolCall[] },
): Promise<Outcome | undefined> {
  const { meter, course, loopGuard } = task;
  const spent = meter.spent();
  const limit = spent === undefined ? meter.callsLeft() : 0;
  course.hasWaited = false;
  const message = await runCalls(agent, task, { turn, calls, limit });
  await agent.session.add(message, turn.number);
  warnOfBudget(agent, task);
  const stopped = task.stopped();
  if (stopped !== undefined) return stopped;
  const level = spent ?? (calls.length > limit ? meter.spentCalls() : undefined);
  if (level !== undefined) return stopAt(agent, level);
  // Whoever waits for others does the same again, and is right to.
  if (course.isFinished || course.hasWaited) return undefined;
  const suspicion = loopGuard.see(calls, message.results);
  return suspicion === undefined ? undefined : heedLoop(agent, task, suspicion);
}

/** How often the model may answer nothing before that is a failure. */
const MAX_EMPTY = 3;

/** An answer without words and calls is not kept: no provider would take it back. */
async function heedNothing(agent: AgentParts, { course }: Task, { reason }: Answer): Promise<undefined> {
  if (reason === "refused") throw refusedAnswer();
  course.empty += 1;
  if (course.empty >= MAX_EMPTY)
    throw new ToolError("MODEL_FAILED", `the model answered nothing, ${MAX_EMPTY} times in a row`);
  const why = reason === "length" ? "ran out of room before it said anything" : "was empty";
  const text = `[guard] Your answer ${why}. Go on with the task; if it is done, say what came of it.`;
  await agent.session.add(guardMessage("empty", text), agent.ledger.turn);
}

async function keepReasoning(
  { options, session, goals }: AgentParts,
  { number, traceId }: Turn,
  parts: readonly AssistantPart[],
): Promise<void> {
  const text = parts.flatMap((part) => (part.type === "reasoning" && part.text !== "" ? [part.text] : []));
  if (text.length === 0) return;
  await recordReasoning(options.collections, session.id, {
    turn: number,
    text: options.engine.masker.text(text.join("\n\n")),
    goalId: activeGoal(goals.book())?.id ?? null,
    traceId,
    at: Date.now(),
  });
}
