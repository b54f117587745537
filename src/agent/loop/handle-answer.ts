import type { ToolCall } from "../../core/call.ts";
import { ToolError } from "../../core/errors.ts";
import { callsOf, type AssistantPart } from "../../core/agent/message.ts";
import type { CallUsage } from "../../core/store/journal.ts";
import type { Turn } from "../../core/agent/turn.ts";
import { activeGoal } from "../../tools/memory/goals/goals.ts";
import { recordReasoning } from "../../tools/memory/goals/reasoning.ts";
import { textOf } from "../../util/text/text-of.ts";
import type { AgentRuntime, Task } from "../runtime/agent-runtime.ts";
import { costOf } from "../budget/ledger.ts";
import { handleLoop } from "./handle-loop.ts";
import { guardMessage } from "../runtime/messages.ts";
import { runCalls } from "./run-calls.ts";
import type { Outcome } from "../runtime/outcome.ts";
import type { Answer } from "./ask-model.ts";
import { tidyParts } from "./tidy-parts.ts";
import type { StopReason } from "../../core/agent/model.ts";

/** Stores the model's answer and runs its calls. Returns undefined if the task continues. */
export async function handleAnswer(task: Task, turn: Turn, answer: Answer): Promise<Outcome | undefined> {
  const { agent } = task;
  const { session } = agent;
  const parts = tidyParts(answer.parts, answer.reason, session.callIds());
  const message = { role: "assistant", parts } as const;
  await storeReasoning(agent, turn, parts);
  task.warnOfBudget();
  const calls = callsOf(message);
  const text = textOf(message.parts, "");
  if (calls.length === 0 && text.trim() === "") return handleEmptyAnswer(task, answer);
  task.progress.emptyAnswers = 0;
  // Stored before its calls run, so that a resumed session knows which calls need a result.
  await session.add(message, turn.number);
  if (calls.length === 0) return concludeAnswer(task, text, answer.reason);
  task.progress.pieces = [];
  const outcome = await handleCalls(task, turn, { calls, usage: shareOf(answer, calls.length) });
  if (answer.reason === "refused") throw refusedAnswer();
  return task.progress.isFinished && outcome === undefined ? { kind: "answered", text } : outcome;
}

/** Returns the share of one call of the cost of an answer. */
function shareOf({ usage, model }: Answer, calls: number): CallUsage {
  const cost = costOf(usage, model.price);
  return {
    model: model.id,
    inputTokens: usage.inputTokens / calls,
    outputTokens: usage.outputTokens / calls,
    ...(cost !== undefined && { cost: cost / calls }),
  };
}

async function handleCalls(
  task: Task,
  turn: Turn,
  asked: { readonly calls: readonly ToolCall[]; readonly usage: CallUsage },
): Promise<Outcome | undefined> {
  const { calls } = asked;
  const { meter, progress, loopGuard } = task;
  const spent = meter.spent();
  const limit = spent === undefined ? meter.callsLeft() : 0;
  progress.hasWaited = false;
  const message = await runCalls(task, turn, asked, limit);
  await task.agent.session.add(message, turn.number);
  task.warnOfBudget();
  const stopped = task.stopped();
  if (stopped !== undefined) return stopped;
  const level = spent ?? (calls.length > limit ? meter.spentCalls() : undefined);
  if (level !== undefined) return task.stopAt(level);
  // An agent that waits for others may repeat the same call.
  if (progress.isFinished || progress.hasWaited) return undefined;
  const loop = loopGuard.check(calls, message.results);
  return loop === undefined ? undefined : handleLoop(task, loop);
}

/** How many empty answers in a row are a failure. */
const MAX_EMPTY = 3;

/** Does not store an answer without text and calls: providers reject empty messages. */
async function handleEmptyAnswer({ agent, progress }: Task, { reason }: Answer): Promise<undefined> {
  if (reason === "refused") throw refusedAnswer();
  progress.emptyAnswers += 1;
  if (progress.emptyAnswers >= MAX_EMPTY)
    throw new ToolError("MODEL_FAILED", `the model gave ${MAX_EMPTY} empty answers in a row`);
  const why = reason === "length" ? "reached its length limit before any text" : "was empty";
  const text = `Your answer ${why}. Continue with the task; if it is done, report the result.`;
  await addGuard(agent, "empty", text);
}

async function storeReasoning(
  { options, session, goals }: AgentRuntime,
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

/** How many pieces an answer may have that is cut at its length limit. */
const MAX_PIECES = 3;
/** How often the model may correct a last answer that does not match the schema. */
const MAX_CORRECTIONS = 2;

/** Turns an answer without calls into an outcome. Returns undefined if the model has to continue or correct it. */
async function concludeAnswer(task: Task, text: string, reason: StopReason): Promise<Outcome | undefined> {
  const { agent, progress } = task;
  if (reason === "refused") throw refusedAnswer();
  const pieces = [...progress.pieces, text];
  if (reason === "length" && pieces.length < MAX_PIECES) {
    progress.pieces = pieces;
    const advice = "Your answer was cut at its length limit. Continue exactly where it stopped.";
    await addGuard(agent, "length", advice);
    return undefined;
  }
  progress.pieces = [];
  const whole = pieces.join("");
  const output = agent.checkOutput?.(whole);
  if (output === undefined) return { kind: "answered", text: whole };
  if ("data" in output) return { kind: "answered", text: whole, data: output.data };
  progress.invalidAnswers += 1;
  if (progress.invalidAnswers > MAX_CORRECTIONS)
    throw new ToolError(
      "MODEL_FAILED",
      `the model's last answer does not match the output schema: ${output.problem}`,
      { hint: "simplify the schema, or use a model that supports structured output" },
    );
  const advice = `Your answer does not match the schema: ${output.problem}\nAnswer again, with the JSON value and nothing else.`;
  await addGuard(agent, "output", advice);
  return undefined;
}

async function addGuard({ session, ledger }: AgentRuntime, name: string, text: string): Promise<void> {
  await session.add(guardMessage(name, `[guard] ${text}`), ledger.turn);
}

/** Creates the error for an answer that the provider broke off on purpose. */
function refusedAnswer(): ToolError {
  return new ToolError("MODEL_FAILED", "the model's provider refused to continue the answer", {
    hint: "rephrase the task, or use another model",
  });
}
