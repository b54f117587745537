import type { ModelRequest } from "../../core/agent/model.ts";
import { defined } from "../../util/json/defined.ts";
import { describeLevel } from "../budget/budget.ts";
import { instructionsOf } from "../prompt/instructions-of.ts";
import type { AgentRuntime } from "../runtime/agent-runtime.ts";
import type { Task } from "../runtime/task.ts";
import { modelTools } from "./model-tools.ts";

/** Builds the next request from the current state: conversation, goals, skills and active tools. */
export async function buildRequest(agent: AgentRuntime, task: Task): Promise<ModelRequest> {
  const { options, session } = agent;
  const { engine, outputSchema, temperature, maxOutputTokens, ceilings = [] } = options;
  const [book, skills] = await Promise.all([agent.goals.read(), options.skills?.list()]);
  return {
    instructions: instructionsOf({
      instructions: options.instructions,
      parts: session.parts(),
      book,
      skills: skills?.skills ?? [],
      notes: notesOf(agent, task),
    }),
    messages: session.messages().map(({ message }) => message),
    tools: modelTools(engine, agent.model().format, { session: session.id, ceilings }),
    signal: task.signal,
    ...defined({ outputSchema, temperature, maxOutputTokens }),
  };
}

/** Returns notes that hold for this task only; they are not messages, so a later task does not see them. */
function notesOf({ options }: AgentRuntime, { meter, hookGuard }: Task): readonly string[] {
  const levels = meter.warned().map(describeLevel);
  const hooks = hookGuard.refused();
  const notes = [
    levels.length > 0 &&
      `The budget of this task is nearly spent (${levels.join(", ")}): finish the task with what is left.`,
    meter.spentCalls() !== undefined &&
      "No further call will be run in this task: answer with what you know.",
    meter.isLastTurn() &&
      "This is your last answer in this task: make no calls, report what was done and what is left to do.",
    hooks.length > 0 && `Prompts of these hooks are no longer passed on in this task: ${hooks.join(", ")}.`,
    options.outputSchema !== undefined &&
      "Your last answer must be one JSON value and nothing else, without a fence around it. It must match this " +
        `JSON Schema: ${JSON.stringify(options.outputSchema)}`,
  ];
  return notes.filter((note) => note !== false);
}
