import { defineTool } from "../../../schema/define/define-tool.ts";
import { object, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { CurrentTurn } from "../../../core/agent/turn.ts";
import { sessionCollection } from "../../shared/session-collection.ts";
import { activeGoal, goalsOf } from "./goals.ts";
import { OWN_STATE } from "../shared/kinds.ts";
import type { MemoryOptions } from "../shared/options.ts";
import { addReasoning, REASONING } from "./reasoning.ts";

/** Stores a thought for read_reasoning; has no other effect. */
export function think(options: Pick<MemoryOptions, "collections">): Tool {
  return defineTool({
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
