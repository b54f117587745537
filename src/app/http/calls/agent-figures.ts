import { callsOf } from "../../../core/agent/message.ts";
import type { Entry } from "../../../agent/sessions/transcript.ts";

/** What an agent did and what its models were paid, without the agents that it started. */
export interface AgentFigures {
  readonly calls: number;
  /** Denied ones are among them. */
  readonly failed: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In USD, of models whose price is known. */
  readonly cost: number;
}

/** Counts the calls and tokens of a stored session. */
export function agentFigures(entries: readonly Entry[]): AgentFigures {
  const figures = { calls: 0, failed: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
  for (const entry of entries) {
    if (entry.kind === "usage") {
      figures.inputTokens += entry.usage.inputTokens;
      figures.outputTokens += entry.usage.outputTokens;
      figures.cost += entry.cost ?? 0;
    }
    if (entry.kind !== "message") continue;
    if (entry.message.role === "assistant") figures.calls += callsOf(entry.message).length;
    if (entry.message.role === "tool") figures.failed += entry.message.results.filter(({ ok }) => !ok).length;
  }
  return figures;
}
