import type { ToolCall } from "../../core/call.ts";
import type { EngineParts } from "../types/engine-parts.ts";
import type { Explanation } from "../types/engine.ts";
import type { RunOptions } from "../types/run-options.ts";
import { findGrant } from "./approve.ts";
import { preview } from "./run.ts";

/** Returns the verdict of policy and of earlier approvals on a call, without running it. */
export async function explain(
  engine: EngineParts,
  call: ToolCall,
  options: RunOptions,
): Promise<Explanation> {
  const { state, fault } = await preview(engine, call, options);
  const judged = state.verdict;
  const granted = judged === undefined ? undefined : await findGrant(state, judged);
  const verdict = granted ?? judged;
  return {
    verdict,
    risk: state.job?.risk,
    facts: state.context.facts,
    fault: verdict === undefined ? fault : undefined,
  };
}
