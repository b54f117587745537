import { builtIn, OWN_STATE, named } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import { boolean, integer, list, object, optional, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { sessionCollection } from "../../shared/collections.ts";
import type { MemoryOptions } from "../shared/options.ts";
import { listReasoning, REASONING, addReasoning, reasoningData, type Reasoning } from "./reasoning.ts";
import { CurrentTurn } from "../../../core/agent/turn.ts";
import { activeGoal, goalsOf } from "./goals.ts";

const MAX_READ = 50;

const input = object({
  goal_id: optional(string("Only reasoning for this goal", { min: 1 })),
  trace_id: optional(string("Only reasoning of this trace", { min: 1 })),
  limit: optional(integer("The maximum number, newest first", { min: 1, max: MAX_READ }), 5),
  include_archived: optional(boolean("Also reasoning for completed goals")),
});

export const READ_REASONING = named("read_reasoning", input, {
  reasoning: list(reasoningData),
  older: integer(),
  archived: integer(),
});

/** Reads earlier reasoning of the session. */
export function readReasoning(options: MemoryOptions): Tool {
  return builtIn({
    ...READ_REASONING,
    description:
      "Reads your earlier reasoning and thoughts in this session, newest first, with turn, goal and trace. " +
      `The last ${REASONING.limit} of all sessions are stored.`,
    ...OWN_STATE,
    attributes: ({ limit, goal_id = "", trace_id = "" }) => ({ limit, goal_id, trace_id }),
    async run({ goal_id, trace_id, limit, include_archived = false }, context) {
      const all = await listReasoning(sessionCollection(context, options, REASONING));
      const fitting = all.filter(
        ({ goalId, traceId }) =>
          (goal_id === undefined || goalId === goal_id) && (trace_id === undefined || traceId === trace_id),
      );
      const entries = fitting.filter(({ archived }) => include_archived || !archived);
      return describe(entries.slice(-limit).toReversed(), {
        older: Math.max(0, entries.length - limit),
        archived: fitting.length - entries.length,
      });
    },
  });
}

interface LeftOut {
  readonly older: number;
  readonly archived: number;
}

function describe(reasoning: readonly Reasoning[], { older, archived }: LeftOut): Reply {
  const parts = reasoning.map((one) => `[${headOf(one)}]\n${one.text}`);
  if (parts.length === 0) parts.push("[no matching reasoning]");
  if (older > 0) parts.push(`[${older} older ones; increase limit to read them]`);
  if (archived > 0) parts.push(`[${archived} archived ones; include_archived=true reads them]`);
  return new Reply(parts.join("\n\n"), { data: { reasoning, older, archived } });
}

function headOf({ turn, goalId, traceId, at, archived }: Reasoning): string {
  const words = [
    new Date(at).toISOString(),
    ...(turn === null ? [] : [`turn ${turn}`]),
    ...(goalId === null ? [] : [goalId]),
    ...(traceId === null ? [] : [`trace ${traceId}`]),
    ...(archived ? ["archived"] : []),
  ];
  return words.join(", ");
}

/** Stores a thought for read_reasoning; has no other effect. */
export function think(options: Pick<MemoryOptions, "collections">): Tool {
  return builtIn({
    name: "think",
    aliases: ["thinking"],
    description:
      "Records a thought, to work something out before acting. It reads nothing and changes nothing.",
    input: object({ thought: string("The thought", { min: 1 }) }),
    ...OWN_STATE,
    async run({ thought }, context) {
      const goal = activeGoal(await goalsOf(context, options).read());
      const turn = context.find(CurrentTurn);
      await addReasoning(sessionCollection(context, options, REASONING), {
        turn: turn?.number ?? null,
        text: thought,
        goalId: goal?.id ?? null,
        traceId: turn?.traceId ?? context.call.id,
        at: Date.now(),
      });
      return "Noted.";
    },
  });
}
