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
  description: string("What shall be reached", { min: 1, max: MAX_TEXT_CHARACTERS }),
  priority: optional(oneOf(PRIORITIES, "How much it matters; medium if left out")),
  subtasks: optional(
    list(string("One step", { min: 1, max: MAX_SUBTASK_CHARACTERS }), "The steps to it", {
      max: MAX_SUBTASKS,
    }),
  ),
});

/** Sets a goal: the active one where there is none, else one that waits. */
export function createGoal(options: MemoryOptions): Tool {
  return defineTool({
    name: "create_goal",
    description:
      "Sets a goal of this session. It becomes the active one, which you are reminded of, unless another is active: then " +
      `it waits until switch_goal resumes it. Up to ${MAX_SUBTASKS} subtasks, ${MAX_GOALS} goals a session.`,
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
        ? `${id} is the active goal now`
        : `${id} waits: ${active?.id} is active (${active?.description}); switch_goal resume makes ${id} the active one`;
      return new Reply(text, { data: { goal_id: id, status: isActive ? "active" : "paused" } });
    },
  });
}
