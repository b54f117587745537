import type { Model, ModelPart, ModelRequest } from "../../core/agent/model.ts";
import { accountFor } from "../budget/account.ts";
import type { AgentParts } from "../parts/agent-parts.ts";
import { buildRequest } from "./build-request.ts";
import { compact } from "../context/compact.ts";
import { estimateTokens } from "../context/estimate-tokens.ts";
import { endSpent } from "../budget/spend.ts";
import type { Task } from "../parts/task.ts";
import { takeUntilAborted } from "../../util/async/take-until-aborted.ts";

/** Of the window, what a request may take before the conversation is made shorter, and what shall be left of it then. */
const FULL = 0.8;
const WANTED = 0.4;

/** What must have been added since before it is worth to try again. */
const GROWN = 1.1;

/** True for a request that leaves the model too little room, unless the last attempt to make it shorter did not help. */
export function isTooLong(request: ModelRequest, { window }: Model, { course }: Task): boolean {
  const room = Math.min(window * FULL, Math.max(0, window - (request.maxOutputTokens ?? 0)));
  return estimateTokens(request) > Math.max(room, course.leftTokens * GROWN);
}

export interface ShortenOptions {
  /** What shall be left of the whole request; two fifths of the window. */
  readonly targetTokens?: number;
  /** In place of the task's own. */
  readonly signal?: AbortSignal;
}

/** Puts a summary in place of the first messages, keeps that, and tells; false where there is nothing to leave out. */
export async function shorten(
  agent: AgentParts,
  task: Task,
  { targetTokens = wantedTokens(agent.model()), signal = task.signal }: ShortenOptions = {},
): Promise<boolean> {
  const { session } = agent;
  const { instructions, tools, messages } = await buildRequest(agent, task);
  const compacted = await compact({
    model: metered(agent, task),
    messages: session.messages(),
    instructions,
    tools,
    book: agent.goals.book(),
    targetTokens: Math.max(1, Math.floor(targetTokens)),
    signal,
  });
  if (compacted === undefined) return false;
  await session.replace({ kind: "compaction", ...compacted });
  const left = session.messages().map(({ message }) => message);
  const tokensBefore = estimateTokens({ instructions, tools, messages });
  const tokensAfter = estimateTokens({ instructions, tools, messages: left });
  task.course.leftTokens = tokensAfter;
  agent.tell({ type: "session.compacted", tokensBefore, tokensAfter });
  return true;
}

/** The agent's model, with what a summary costs on the agent's account. */
function metered(agent: AgentParts, task: Task): Model {
  const model = agent.model();
  return {
    ...pick(model),
    async *stream(request): AsyncIterable<ModelPart> {
      for await (const part of takeUntilAborted(() => model.stream(request), request.signal)) {
        if (part.type === "done") {
          await accountFor(agent, task, { usage: part.usage, model });
          endSpent(agent, task);
        }
        yield part;
      }
      request.signal.throwIfAborted();
    },
  };
}

function wantedTokens({ window }: Pick<Model, "window">): number {
  return window * WANTED;
}

function pick({ id, format, window, price }: Model): Omit<Model, "stream"> {
  return { id, format, window, price };
}
