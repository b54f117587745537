import { ToolError } from "../../core/errors.ts";
import type { AgentParts } from "../parts/agent-parts.ts";
import { buildRequest } from "./build-request.ts";
import { estimateTokens } from "../context/estimate-tokens.ts";
import { isTooLong, shorten } from "./shorten.ts";
import type { Answer, CutAnswer } from "./stream-answer.ts";
import { streamAnswer } from "./stream-answer.ts";
import type { Task } from "../parts/task.ts";

/** Of what the provider would not take, how much is left for the next attempt. */
const SHARES = [0.5, 0.25] as const;

/** Asks the model for its next message, with a conversation that fits its window. */
export async function askModel(agent: AgentParts, task: Task): Promise<Answer | CutAnswer> {
  let request = await buildRequest(agent, task);
  const model = agent.model();
  if (isTooLong(request, model, task) && (await shorten(agent, task)))
    request = await buildRequest(agent, task);
  for (const share of SHARES) {
    try {
      return await streamAnswer(agent, request);
    } catch (error) {
      // Nobody knows how a provider counts: it has the last word.
      const isRefused = error instanceof ToolError && error.code === "WINDOW_FULL";
      const targetTokens = estimateTokens(request) * share;
      if (!isRefused || !(await shorten(agent, task, { targetTokens }))) throw error;
      request = await buildRequest(agent, task);
    }
  }
  return streamAnswer(agent, request);
}
