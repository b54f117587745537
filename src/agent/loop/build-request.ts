import type { ModelRequest } from "../../core/agent/model.ts";
import type { AgentParts } from "../parts/agent-parts.ts";
import { describeLevel } from "../budget/limits/budget-meter.ts";
import { modelTools } from "../parts/model-tools.ts";
import { instructionsOf } from "../prompt/instructions-of.ts";
import type { Task } from "../parts/task.ts";

/** What the model is asked now: everything in it is looked up anew, the active tools among it. */
export async function buildRequest(agent: AgentParts, task: Task): Promise<ModelRequest> {
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
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
}

/** What holds for this task only, and so is in no message: whoever goes on later must not read it. */
function notesOf({ options }: AgentParts, { meter, hookGuard }: Task): readonly string[] {
  const levels = meter.warned().map(describeLevel);
  const hooks = hookGuard.refused();
  return [
    ...(levels.length === 0
      ? []
      : [`The budget of this task is nearly spent (${levels.join(", ")}): come to an end.`]),
    ...(meter.spentCalls() === undefined
      ? []
      : ["No further call will be run in this task: answer with what you know."]),
    ...(meter.isLastTurn()
      ? ["This is your last answer in this task: make no calls, say what was done and what is left to do."]
      : []),
    ...(hooks.length === 0
      ? []
      : [`What these hooks ask for is not passed on in this task any more: ${hooks.join(", ")}.`]),
    ...(options.outputSchema === undefined
      ? []
      : [
          "Your last answer must be one JSON value and nothing else, without a fence around it. It must fit this " +
            `JSON Schema: ${JSON.stringify(options.outputSchema)}`,
        ]),
  ];
}
