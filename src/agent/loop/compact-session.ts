import { withStream, type Model, type ModelPart, type ModelRequest } from "../../core/agent/model.ts";
import type { Task } from "../runtime/agent-runtime.ts";
import { buildRequest } from "./build-request.ts";
import { compact } from "../context/compact.ts";
import { estimateTokens } from "../context/estimate-tokens.ts";
import { takeUntilAborted } from "../../util/async/take-until-aborted.ts";

/** The shares of the window at which a conversation is compacted, and that it may have afterwards. */
const FULL = 0.8;
const WANTED = 0.4;

/** How much a request must have grown since the last compaction before the next. */
const GROWN = 1.1;

/** True if a request leaves the model too little room, and has grown since the last compaction. */
export function isTooLong(request: ModelRequest, { window }: Model, { progress }: Task): boolean {
  const room = Math.min(window * FULL, Math.max(0, window - (request.maxOutputTokens ?? 0)));
  return estimateTokens(request) > Math.max(room, progress.compactedTokens * GROWN);
}

/** Replaces the oldest messages by a summary, so that the whole request has the target size, and stores it; false if nothing can be left out. */
export async function compactSession(
  task: Task,
  targetTokens = task.agent.model().window * WANTED,
  signal = task.signal,
): Promise<boolean> {
  const { agent } = task;
  const { session } = agent;
  const { instructions, tools, messages } = await buildRequest(task);
  const compacted = await compact({
    model: metered(task),
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
  task.progress.compactedTokens = tokensAfter;
  agent.emit({ type: "session.compacted", tokensBefore, tokensAfter });
  return true;
}

/** Wraps the agent's model so that a summary is charged to the task. */
function metered({ agent, meter, endIfSpent }: Task): Model {
  const model = agent.model();
  return withStream(model, async function* (request): AsyncIterable<ModelPart> {
    for await (const part of takeUntilAborted(() => model.stream(request), request.signal)) {
      if (part.type === "done") {
        await agent.ledger.charge({ usage: part.usage, model }, meter);
        endIfSpent();
      }
      yield part;
    }
    request.signal.throwIfAborted();
  });
}
