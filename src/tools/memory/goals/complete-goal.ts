import { Reply } from "../../../core/content.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { ToolError } from "../../../core/errors.ts";
import { list, object, optional, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { sessionCollection } from "../../shared/session-collection.ts";
import { activeGoal, describeGoals, goalsOf, MAX_TEXT_CHARACTERS, type Goal } from "./goals.ts";
import { OWN_STATE } from "../shared/kinds.ts";
import type { MemoryOptions } from "../shared/options.ts";
import { archiveReasoning, REASONING } from "./reasoning.ts";

const MAX_ARTIFACTS = 100;

const input = object({
  summary: string("What was achieved, and how", { min: 1, max: MAX_TEXT_CHARACTERS }),
  artifacts: optional(
    list(string("A file, an address or an id", { min: 1, max: 500 }), "The results", {
      max: MAX_ARTIFACTS,
    }),
  ),
});

/** Completes the active goal. */
export function completeGoal(options: MemoryOptions): Tool {
  return defineTool({
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
        const completed: Goal = {
          ...active,
          status: "completed",
          completedAt: Date.now(),
          summary,
          artifacts,
        };
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
