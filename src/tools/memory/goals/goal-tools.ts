import { builtIn, OWN_STATE, missingProblem, valueProblem, named } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import {
  list,
  nullable,
  object,
  oneOf,
  optional,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";
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
  describeGoals,
  paused,
  type Goal,
  type GoalBook,
} from "./goals.ts";
import type { MemoryOptions } from "../shared/options.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Problem } from "../../../core/result.ts";
import { sessionCollection } from "../../shared/collections.ts";
import { archiveReasoning, REASONING } from "./reasoning.ts";

const MAX_SUBTASKS = 50;

const createInput = object({
  description: longText("The goal"),
  priority: optional(oneOf(PRIORITIES, "The importance; default: medium")),
  subtasks: optional(shortTexts("One step", "The steps", MAX_SUBTASKS)),
});

export const CREATE_GOAL = named("create_goal", createInput, {
  goal_id: string(),
  status: oneOf(["active", "paused"]),
});

/** Creates a goal: active if there is no active one, else paused. */
export function createGoal(options: MemoryOptions): Tool {
  return builtIn({
    ...CREATE_GOAL,
    description:
      "Creates a goal of this session. It becomes the active goal, of which you are reminded, unless another is active: then " +
      `it is paused until switch_goal resumes it. Up to ${MAX_SUBTASKS} subtasks, ${MAX_GOALS} goals per session.`,
    ...OWN_STATE,
    attributes: ({ priority = "medium" }) => ({ priority }),
    async run({ description, priority, subtasks }, context) {
      const id = shortId("goal");
      const goal = { id, description, ...(priority && { priority }), ...(subtasks && { subtasks }) };
      const book = await goalsOf(context, options).change((before) =>
        withGoal(before, goal, activeGoal(before) === undefined ? "active" : "paused"),
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

const switchInput = object({
  action: oneOf(["pause", "resume", "new"], "What to do"),
  goal_id: optional(string("For resume: the goal; default: the only paused one", { min: 1 })),
  description: optional(longText("For new: the goal")),
  priority: optional(oneOf(PRIORITIES, "For new: the importance; default: medium")),
});

export const SWITCH_GOAL = named("switch_goal", switchInput, {
  active: nullable(string()),
  paused: list(string()),
});

type SwitchInput = Infer<typeof switchInput>;

/** Changes the active goal. */
export function switchGoal(options: MemoryOptions): Tool {
  return builtIn({
    ...SWITCH_GOAL,
    description:
      "Changes the active goal of this session. pause pauses it, resume activates a paused one, new creates " +
      "another; resume and new pause the active one.",
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
    return valueProblem("/goal_id", "no goal_id for new: it is assigned", goal_id);
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

const MAX_ARTIFACTS = 100;

const completeInput = object({
  summary: longText("What was achieved, and how"),
  artifacts: optional(shortTexts("A file, an address or an id", "The results", MAX_ARTIFACTS)),
});

export const COMPLETE_GOAL = named("complete_goal", completeInput, {
  goal_id: string(),
  paused: list(string()),
});

/** Completes the active goal. */
export function completeGoal(options: MemoryOptions): Tool {
  return builtIn({
    ...COMPLETE_GOAL,
    description:
      "Completes the active goal of this session with a summary. No goal is active afterwards; its reasoning is archived.",
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
