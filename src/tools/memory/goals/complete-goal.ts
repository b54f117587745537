import { builtIn, OWN_STATE } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import { ToolError } from "../../../core/errors.ts";
import { object, optional } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { sessionCollection } from "../../shared/collections.ts";
import { shortTexts, longText, activeGoal, describeGoals, goalsOf, type Goal } from "./goals.ts";
import type { MemoryOptions } from "../shared/options.ts";
import { archiveReasoning, REASONING } from "./reasoning.ts";

const MAX_ARTIFACTS = 100;

export const input = object({
  summary: longText("What was achieved, and how"),
  artifacts: optional(shortTexts("A file, an address or an id", "The results", MAX_ARTIFACTS)),
});

/** Completes the active goal. */
export function completeGoal(options: MemoryOptions): Tool {
  return builtIn({
    name: "complete_goal",
    description:
      "Completes the active goal of this session with a summary. No goal is active afterwards; its reasoning is archived.",
    input,
    ...OWN_STATE,
    attributes: ({ artifacts = [] }) => ({ artifacts: artifacts.length }),
    async run({ summary, artifacts = [] }, context) {
      let done = "";
      const { goals } = await goalsOf(context, options).change((book) => {
        const active = activeGoal(book);
        if (active === undefined) throw noneActive(book.goals);
        done = active.id;
        const completedAt = Date.now();
        const completed: Goal = { ...active, status: "completed", completedAt, summary, artifacts };
        return { ...book, goals: book.goals.map((goal) => (goal === active ? completed : goal)) };
      });
      await archiveReasoning(sessionCollection(context, options, REASONING), ({ goalId }) => goalId === done);
      const waiting = goals.filter(({ status }) => status === "paused");
      const rest = waiting.length === 0 ? [] : ["Paused, for switch_goal resume:", ...describeGoals(waiting)];
      return new Reply([`Completed ${done}`, ...rest].join("\n"), {
        data: { goal_id: done, paused: waiting.map(({ id }) => id) },
      });
    },
  });
}

function noneActive(goals: readonly Goal[]): ToolError {
  const waiting = goals.filter(({ status }) => status === "paused");
  const hint = `resume one with switch_goal:\n${describeGoals(waiting).join("\n")}`;
  return new ToolError("TOOL_FAILED", "no goal is active", {
    hint: waiting.length === 0 ? "create_goal sets one" : hint,
  });
}
