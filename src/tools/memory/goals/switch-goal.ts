import { Reply } from "../../../core/content.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Problem } from "../../../core/result.ts";
import { object, oneOf, optional, string, type Infer } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { builtIn, OWN_STATE, missingProblem } from "../../shared/built-in-tool.ts";
import {
  longText,
  activeGoal,
  describeGoals,
  goalsOf,
  paused,
  PRIORITIES,
  shortId,
  withGoal,
  type Goal,
  type GoalBook,
} from "./goals.ts";
import type { MemoryOptions } from "../shared/options.ts";

export const input = object({
  action: oneOf(["pause", "resume", "new"], "What to do"),
  goal_id: optional(string("For resume: the goal; default: the only paused one", { min: 1 })),
  description: optional(longText("For new: the goal")),
  priority: optional(oneOf(PRIORITIES, "For new: the importance; default: medium")),
});

type SwitchInput = Infer<typeof input>;

/** Changes the active goal. */
export function switchGoal(options: MemoryOptions): Tool {
  return builtIn({
    name: "switch_goal",
    description:
      "Changes the active goal of this session. pause pauses it, resume activates a paused one, new creates " +
      "another; resume and new pause the active one.",
    input,
    ...OWN_STATE,
    check: problemsOf,
    attributes: ({ action }) => ({ action }),
    async run(given, context) {
      const id = shortId("goal");
      const book = await goalsOf(context, options).change((before) => change(before, given, id));
      const active = activeGoal(book);
      const waiting = book.goals.filter(({ status }) => status === "paused");
      const text = [
        active ? `The active goal is ${active.id}: ${active.description}` : "No goal is active now",
      ];
      if (waiting.length > 0) text.push("Put aside:", ...describeGoals(waiting));
      return new Reply(text.join("\n"), {
        data: { active: active?.id ?? null, paused: waiting.map((goal) => goal.id) },
      });
    },
  });
}

function problemsOf({ action, description, goal_id }: SwitchInput): readonly Problem[] {
  if (action === "new" && goal_id !== undefined)
    return [
      { kind: "value", path: "/goal_id", expected: "no goal_id for new: it is assigned", got: goal_id },
    ];
  return action === "new" ? missingProblem("description", description, "new") : [];
}

function change(
  book: GoalBook,
  { action, goal_id, description = "", priority }: SwitchInput,
  id: string,
): GoalBook {
  if (action === "new") return withGoal(book, { id, description, ...(priority && { priority }) }, "active");
  if (action === "pause") {
    const active = activeGoal(book);
    if (active === undefined || (goal_id ?? active.id) !== active.id) throw notActive(goal_id, book);
    return { ...book, goals: paused(book.goals) };
  }
  const resumed = findPaused(book, goal_id);
  const goals = paused(book.goals).map((goal): Goal =>
    goal.id === resumed.id ? { ...goal, status: "active" } : goal,
  );
  return { ...book, goals };
}

function findPaused({ goals }: GoalBook, id: string | undefined): Goal {
  const waiting = goals.filter(({ status }) => status === "paused");
  const [first, second] = id === undefined ? waiting : waiting.filter((goal) => goal.id === id);
  if (first !== undefined && second === undefined) return first;
  const what =
    id === undefined ? `${waiting.length} goals are paused: goal_id is needed` : `no paused goal ${id}`;
  throw new ToolError("TOOL_FAILED", what, { hint: hintOf(waiting, "paused") });
}

function notActive(id: string | undefined, book: GoalBook): ToolError {
  const active = book.goals.filter(({ status }) => status === "active");
  const what = id === undefined ? "no goal is active" : `${id} is not the active goal`;
  return new ToolError("TOOL_FAILED", what, { hint: hintOf(active, "active") });
}

function hintOf(goals: readonly Goal[], state: string): string {
  return goals.length === 0 ? `none is ${state}; create_goal sets one` : describeGoals(goals).join("\n");
}
