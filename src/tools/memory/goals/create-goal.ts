import { Reply } from "../../../core/content.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { list, object, oneOf, optional, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import {
  activeGoal,
  goalsOf,
  MAX_GOALS,
  MAX_TEXT_CHARACTERS,
  PRIORITIES,
  shortId,
  withGoal,
} from "./goals.ts";
import { OWN_STATE } from "../shared/kinds.ts";
import type { MemoryOptions } from "../shared/options.ts";

const MAX_SUBTASKS = 50;
const MAX_SUBTASK_CHARACTERS = 500;

const input = object({
  description: string("The goal", { min: 1, max: MAX_TEXT_CHARACTERS }),
  priority: optional(oneOf(PRIORITIES, "The importance; default: medium")),
  subtasks: optional(
    list(string("One step", { min: 1, max: MAX_SUBTASK_CHARACTERS }), "The steps", {
      max: MAX_SUBTASKS,
    }),
  ),
});

/** Creates a goal: active if there is no active one, else paused. */
export function createGoal(options: MemoryOptions): Tool {
  return defineTool({
    name: "create_goal",
    description:
      "Creates a goal of this session. It becomes the active goal, of which you are reminded, unless another is active: then " +
      `it is paused until switch_goal resumes it. Up to ${MAX_SUBTASKS} subtasks, ${MAX_GOALS} goals per session.`,
    input,
    ...OWN_STATE,
    attributes: ({ priority = "medium" }) => ({ priority }),
    async run({ description, priority, subtasks }, context) {
      const id = shortId("goal");
      const given = { id, description, ...(priority && { priority }), ...(subtasks && { subtasks }) };
      const book = await goalsOf(context, options).change((before) =>
        withGoal(before, given, activeGoal(before) === undefined ? "active" : "paused"),
      );
      const active = activeGoal(book);
      const isActive = active?.id === id;
      const text = isActive
        ? `${id} is now the active goal`
        : `${id} is paused: ${active?.id} is active (${active?.description}); switch_goal resume activates ${id}`;
      return new Reply(text, { data: { goal_id: id, status: isActive ? "active" : "paused" } });
    },
  });
}
