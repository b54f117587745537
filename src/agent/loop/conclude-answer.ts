import { ToolError } from "../../core/errors.ts";
import type { StopReason } from "../../core/agent/model.ts";
import type { AgentRuntime } from "../runtime/agent-runtime.ts";
import { guardMessage } from "../runtime/messages.ts";
import type { Outcome } from "../runtime/running-agent.ts";
import type { Task } from "../runtime/task.ts";

/** How many pieces an answer may have that is cut at its length limit. */
const MAX_PIECES = 3;
/** How often the model may correct a last answer that does not match the schema. */
const MAX_CORRECTIONS = 2;

/** Turns an answer without calls into an outcome. Returns undefined if the model has to continue or correct it. */
export async function concludeAnswer(
  agent: AgentRuntime,
  { progress }: Task,
  { text, reason }: { readonly text: string; readonly reason: StopReason },
): Promise<Outcome | undefined> {
  if (reason === "refused") throw refusedAnswer();
  const pieces = [...progress.pieces, text];
  if (reason === "length" && pieces.length < MAX_PIECES) {
    progress.pieces = pieces;
    await addGuard(
      agent,
      "length",
      "Your answer was cut at its length limit. Continue exactly where it stopped.",
    );
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
  await addGuard(
    agent,
    "output",
    `Your answer does not match the schema: ${output.problem}\nAnswer again, with the JSON value and nothing else.`,
  );
  return undefined;
}

async function addGuard({ session, ledger }: AgentRuntime, name: string, text: string): Promise<void> {
  await session.add(guardMessage(name, `[guard] ${text}`), ledger.turn);
}

/** Creates the error for an answer that the provider broke off on purpose. */
export function refusedAnswer(): ToolError {
  return new ToolError("MODEL_FAILED", "the model's provider refused to continue the answer", {
    hint: "rephrase the task, or use another model",
  });
}
