import { plainWords } from "../../../util/text/words.ts";
import { builtIn, OWN_STATE, named } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import { ToolError } from "../../../core/errors.ts";
import { boolean, nullable, object, optional, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { shortTexts, longText, activeGoal, goalsOf, shortId, type Decision, type GoalBook } from "./goals.ts";
import type { MemoryOptions } from "../shared/options.ts";

const MAX_DECISIONS = 200;
const MAX_ALTERNATIVES = 20;

const input = object({
  description: longText("The subject of the decision, in words you would use again"),
  rationale: longText("The decision and its reason"),
  alternatives: optional(
    shortTexts("An alternative", "Other options that were considered", MAX_ALTERNATIVES),
  ),
  locked: optional(boolean("Final: no other decision on the same subject is accepted")),
});

export const RECORD_DECISION = named("record_decision", input, {
  decision_id: string(),
  replaced: nullable(string()),
  locked: boolean(),
});

/** Records a decision of the session. A locked one is never replaced. */
export function recordDecision(options: MemoryOptions): Tool {
  return builtIn({
    ...RECORD_DECISION,
    description:
      "Records a decision of this session, of which you are reminded. A decision with the same description replaces it, unless " +
      `it is locked: then the new one is rejected. The last ${MAX_DECISIONS} are stored, locked ones always.`,
    ...OWN_STATE,
    attributes: ({ locked = false }) => ({ locked }),
    async run({ description, rationale, alternatives = [], locked = false }, context) {
      const id = shortId("decision");
      let replaced: Decision | undefined;
      await goalsOf(context, options).change((book) => {
        replaced = book.decisions.find((one) => plainWords(one.description) === plainWords(description));
        if (replaced?.locked === true) throw lockedDecision(replaced);
        const goalId = activeGoal(book)?.id ?? null;
        const decision = { id, description, rationale, alternatives, locked, goalId, at: Date.now() };
        return withDecision(book, decision, replaced);
      });
      const text = replaced === undefined ? `Recorded ${id}` : `Recorded ${id}, replacing ${replaced.id}`;
      return new Reply(`${text}${locked ? ", locked" : ""}`, {
        data: { decision_id: id, replaced: replaced?.id ?? null, locked },
      });
    },
  });
}

/** At the limit the oldest decisions that are not locked are dropped. */
function withDecision(book: GoalBook, decision: Decision, replaced: Decision | undefined): GoalBook {
  const others = book.decisions.filter((one) => one !== replaced);
  const oldest = others.find(({ locked }) => !locked);
  if (others.length < MAX_DECISIONS) return { ...book, decisions: [...others, decision] };
  if (oldest === undefined)
    throw new ToolError("TOOL_FAILED", `there are already ${MAX_DECISIONS} locked decisions`);
  return { ...book, decisions: [...others.filter((one) => one !== oldest), decision] };
}

function lockedDecision({ id, description, rationale, at }: Decision): ToolError {
  const what = `${id} on this was locked at ${new Date(at).toISOString()}: ${description}\n${rationale}`;
  return new ToolError("TOOL_FAILED", what, {
    hint: "follow it; if it must change, tell the user instead of deciding again",
    details: { decision_id: id, description, rationale },
  });
}
