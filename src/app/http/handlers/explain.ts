import { ToolError } from "../../../core/errors.ts";
import { defined } from "../../../util/json/defined.ts";
import { choicesOf, onlyOnce } from "../../host/approvals/approval-question.ts";
import { describeFacts } from "../../host/approvals/describe-fact.ts";
import { sessionFor, type Caller } from "../../host/people/caller.ts";
import type { Given, Handlers } from "../api/routes.ts";
import type { ServedEngine } from "../server/served.ts";

export function explainHandlers(served: ServedEngine) {
  return {
    async explain({ body, caller }) {
      const { name, explanation } = await explain(served, body, caller);
      const { verdict = null, facts, risk = null, fault = null } = explanation;
      const askVerdict = verdict?.kind === "ask" ? verdict : undefined;
      return {
        name,
        verdict,
        facts,
        touches: describeFacts(facts),
        choices: askVerdict === undefined ? [] : choicesOf(askVerdict),
        onlyOnce: (askVerdict && onlyOnce(askVerdict)) ?? null,
        risk: verdict?.risk ?? risk,
        fault,
      };
    },
  } satisfies Partial<Handlers>;
}

/** Explains a call of a tool, or a command as the shell tool would run it. */
export async function explain(
  { engine, session: own }: ServedEngine,
  { name = "shell", input, command, session = own, mode }: Given<"explain">["body"],
  caller: Pick<Caller, "subject" | "ceilings">,
) {
  if (command !== undefined && input !== undefined)
    throw new ToolError("INVALID_INPUT", "command: expected either command, or name and input");
  const callInput = command === undefined ? (input ?? {}) : { command };
  if (engine.get(name) === undefined) await engine.sources.settled(name);
  const { subject } = caller;
  const ceilings = [...caller.ceilings, ...(mode === undefined ? [] : [{ mode }])];
  const explanation = await engine.explain(
    { id: "explain", name, input: callInput },
    { session: sessionFor(subject, session), ceilings, ...defined({ subject }) },
  );
  return { name, explanation };
}
