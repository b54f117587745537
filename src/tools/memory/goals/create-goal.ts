import { builtIn, OWN_STATE } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import { object, oneOf, optional } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import {
  shortTexts,
  longText,
  activeGoal,
  goalsOf,
  MAX_GOALS,
  PRIORITIES,
  shortId,
  withGoal,
} from "./goals.ts";
import type { MemoryOptions } from "../shared/options.ts";

const MAX_SUBTASKS = 50;

export const input = object({
  description: longText("The goal"),
  priority: optional(oneOf(PRIORITIES, "The importance; default: medium")),
  subtasks: optional(shortTexts("One step", "The steps", MAX_SUBTASKS)),
});

/** Creates a goal: active if there is no active one, else paused. */
export function createGoal(options: MemoryOptions): Tool {
  return builtIn({
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
