import { ToolError } from "../../core/errors.ts";
import type { StopReason } from "../../core/agent/model.ts";
import type { AgentParts } from "../parts/agent-parts.ts";
import { guardMessage } from "../parts/message-text.ts";
import type { Outcome } from "../parts/running-agent.ts";
import type { Task } from "../parts/task.ts";

/** An answer that is cut so many times is long enough. */
const MAX_PIECES = 3;
/** So many times the model may mend a last answer that does not fit. */
const MAX_MENDS = 2;

interface Said {
  readonly text: string;
  readonly reason: StopReason;
}

/** Makes an outcome of an answer without calls. Undefined where the model has to go on with it, or to mend it. */
export async function concludeAnswer(
  agent: AgentParts,
  { course }: Task,
  { text, reason }: Said,
): Promise<Outcome | undefined> {
  if (reason === "refused") throw refusedAnswer();
  const pieces = [...course.pieces, text];
  if (reason === "length" && pieces.length < MAX_PIECES) {
    course.pieces = pieces;
    await say(agent, "length", "Your answer was cut at its length limit. Go on exactly where it stopped.");
    return undefined;
  }
  course.pieces = [];
  const whole = pieces.join("");
  const output = agent.checkOutput?.(whole);
  if (output === undefined) return { kind: "answered", text: whole };
  if ("data" in output) return { kind: "answered", text: whole, data: output.data };
  course.unfit += 1;
  if (course.unfit > MAX_MENDS)
    throw new ToolError(
      "MODEL_FAILED",
      `the model's last answer does not fit the output schema: ${output.problem}`,
      {
        hint: "ask for less, or use a model that can promise its form",
      },
    );
  await say(
    agent,
    "output",
    `Your answer does not fit the schema: ${output.problem}\nAnswer again, with the JSON value and nothing else.`,
  );
  return undefined;
}

async function say({ session, ledger }: AgentParts, name: string, text: string): Promise<void> {
  await session.add(guardMessage(name, `[guard] ${text}`), ledger.turn);
}

/** What a provider that breaks off an answer on purpose has done. */
export function refusedAnswer(): ToolError {
  return new ToolError("MODEL_FAILED", "the model's provider would not go on with the answer", {
    hint: "say it in other words, or use another model",
  });
}
