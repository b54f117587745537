import type { AgentParts } from "../parts/agent-parts.ts";
import type { Stopped, Task } from "../parts/task.ts";
import { stoppedBy } from "../parts/task.ts";
import type { Level } from "./limits/budget-meter.ts";

/** Tells of what is nearly spent, each kind once. */
export function warnOfBudget({ tell }: AgentParts, { meter }: Task): void {
  for (const level of meter.newWarnings()) tell({ type: "budget.warned", ...level });
}

/** Stops a task whose budget keeps it from another request. */
export function stopSpent(agent: AgentParts, { meter }: Task): Stopped | undefined {
  const level = meter.spent();
  return level === undefined ? undefined : stopAt(agent, level);
}

/** Ends a task whose budget was spent beside its turns, so that no request follows. */
export function endSpent({ tell }: AgentParts, task: Task): void {
  const level = task.meter.spent();
  if (level !== undefined && task.stop(stoppedBy(level))) tell({ type: "budget.spent", ...level });
}

/** Stops a task at a level, and tells. */
export function stopAt({ tell }: AgentParts, level: Level): Stopped {
  tell({ type: "budget.spent", ...level });
  return stoppedBy(level);
}
