import { randomUUID } from "node:crypto";
import { ToolError } from "../../../core/errors.ts";
import { createStoredGrants } from "../../../store/database/grants.ts";
import { idOf } from "../../../policy/layers/rule-set.ts";
import { defined } from "../../../util/json/defined.ts";
import { explain } from "./explain.ts";
import { readConfiguredRules } from "../../host/configured-policy.ts";
import { describeRule } from "../../host/approvals/describe-rule.ts";
import type { Caller } from "../../host/people/caller.ts";
import type { Served } from "../server/served.ts";
import type { AnswerOf, Given, Handlers } from "../api/routes.ts";

export function policyHandlers(served: Served) {
  const { host } = served;
  const { config, trusted } = host;
  return {
    async policy() {
      const { layers, problems, notes } = await readConfiguredRules(config, trusted.trust);
      return {
        mode: served.mode(),
        layers: layers.map(({ name, mode, rules, mayAllow }) => ({
          name,
          mode: mode ?? null,
          rules: rules.map((rule, index) => ({
            id: idOf(rule, name, index),
            rule,
            text: describeRule(rule),
            isOff: rule.decision === "allow" && !mayAllow,
          })),
        })),
        problems,
        notes,
      };
    },
    async setMode({ body: { mode } }) {
      await served.setMode(mode);
      return { mode };
    },
    allow: ({ body, caller }) => allow(served, body, caller),
  } satisfies Partial<Handlers>;
}

/** Saves the narrowest rule that allows a call which needs approval. */
async function allow(
  served: Served,
  body: Given<"allow">["body"],
  caller: Caller,
): Promise<AnswerOf<"allow">> {
  const { engine, store, workspace } = served;
  const { name, explanation } = await explain(served, body, caller);
  const { verdict, fault, facts } = explanation;
  if (fault !== undefined) throw new ToolError("INVALID_INPUT", `${name}: ${fault.message}`);
  if (verdict?.kind === "allow")
    throw new ToolError("INVALID_INPUT", `${name} runs without approval already: ${verdict.reason}`);
  if (verdict?.kind !== "ask" || verdict.grant === undefined)
    throw new ToolError("DENIED", `no rule can allow this call: ${verdict?.ungrantable ?? verdict?.reason}`, {
      hint: verdict?.hint ?? "approve it each time, or write a rule: toolwright policy allow",
    });
  const grantId = randomUUID();
  const folder = facts.find((fact) => fact.kind === "command")?.cwd;
  const tool = engine.get(name)?.name ?? name;
  const { grant: rule } = verdict;
  const saved = {
    id: grantId,
    scope: "always",
    hash: grantId,
    tool,
    rule,
    grantedAt: Date.now(),
  } as const;
  await createStoredGrants(store.collections, workspace[0] ?? "").add(
    { ...saved, ...defined({ folder }) },
    undefined,
  );
  return { grantId, rule, text: describeRule(rule) };
}
