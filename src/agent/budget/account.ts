import type { Model, Usage } from "../../core/agent/model.ts";
import type { AgentParts } from "../parts/agent-parts.ts";
import type { Task } from "../parts/task.ts";

/** Puts what an answer used on the account of session and task, and keeps it; gives back what it cost. */
export async function accountFor(
  { session, ledger }: AgentParts,
  { meter }: Task,
  { usage, model }: { readonly usage: Usage; readonly model: Model },
): Promise<number | undefined> {
  const cost = ledger.addUsage(usage, model);
  const tokens = usage.inputTokens + usage.outputTokens;
  meter.spend(cost === undefined ? { tokens } : { tokens, money: cost });
  await session.keep({
    kind: "usage",
    turn: ledger.turn,
    model: model.id,
    usage,
    ...(cost === undefined ? {} : { cost }),
  });
  return cost;
}
