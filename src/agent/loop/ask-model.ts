import { ToolError } from "../../core/errors.ts";
import { estimateTokens } from "../context/estimate-tokens.ts";
import type { AgentRuntime } from "../runtime/agent-runtime.ts";
import type { Task } from "../runtime/task.ts";
import { buildRequest } from "./build-request.ts";
import { compactSession, isTooLong } from "./compact-session.ts";
import { streamAnswer, type Answer, type PartialAnswer } from "./stream-answer.ts";

/** The sizes to try after the provider has rejected a request as too long, as shares of the rejected one. */
const SHARES = [0.5, 0.25] as const;

/** Requests the model's next message; compacts the conversation if it does not fit the window. */
export async function askModel(agent: AgentRuntime, task: Task): Promise<Answer | PartialAnswer> {
  let request = await buildRequest(agent, task);
  const model = agent.model();
  if (isTooLong(request, model, task) && (await compactSession(agent, task)))
    request = await buildRequest(agent, task);
  for (const share of SHARES) {
    try {
      return await streamAnswer(agent, request);
    } catch (error) {
      // Our count is an estimate; only the provider's counts.
      const isRejected = error instanceof ToolError && error.code === "WINDOW_FULL";
      const targetTokens = estimateTokens(request) * share;
      if (!isRejected || !(await compactSession(agent, task, { targetTokens }))) throw error;
      request = await buildRequest(agent, task);
    }
  }
  return streamAnswer(agent, request);
}
