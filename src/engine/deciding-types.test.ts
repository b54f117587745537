import assert from "node:assert/strict";
import { test } from "node:test";
import type { Policy } from "../core/policy.ts";
import type { Risk } from "../core/spec.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { object, string } from "../schema/define/schema.ts";
import type { CallOptions } from "./types/options.ts";

test("types refuse what the engine refuses", () => {
  const input = object({ verb: string() });
  const base = { name: "t", description: "", input, run: () => 1 } as const;
  const risks: { readonly [verb: string]: Risk | undefined } = { read: "low" };
  const tools = (): unknown => [
    defineTool({ ...base, riskOf: ({ verb }) => risks[verb] ?? "high" }),
    // @ts-expect-error: there may be no risk for the verb.
    defineTool({ ...base, riskOf: ({ verb }) => risks[verb] }),
    // @ts-expect-error: it is no risk.
    defineTool({ ...base, riskOf: () => "none" }),
    // @ts-expect-error: a risk cannot be waited for.
    defineTool({ ...base, riskOf: async () => "low" }),
    // @ts-expect-error: there is no such fact.
    defineTool({ ...base, facts: () => [{ kind: "pth", path: "/a", access: "read" }] }),
    // @ts-expect-error: there is no such access.
    defineTool({ ...base, facts: () => [{ kind: "path", path: "/a", access: "none" }] }),
    // @ts-expect-error: nothing is no list of facts.
    defineTool({ ...base, facts: () => undefined }),
    // @ts-expect-error: a text is no list of problems.
    defineTool({ ...base, check: () => "bad" }),
  ];
  const policies = (): readonly Policy[] => [
    { judge: () => ({ kind: "allow", reason: "", rule: "" }) },
    // @ts-expect-error: a verdict cannot be waited for.
    { judge: async () => ({ kind: "deny", reason: "", rule: "" }) },
    // @ts-expect-error: there is no such kind.
    { judge: () => ({ kind: "Deny", reason: "", rule: "" }) },
    // @ts-expect-error: nothing is no verdict.
    { judge: () => undefined },
    // @ts-expect-error: there is no such place.
    { judge: () => ({ kind: "allow", reason: "", rule: "", place: "host" }) },
    // @ts-expect-error: nothing says neither yes nor no.
    { judge: () => ({ kind: "allow", reason: "", rule: "" }), hides: () => undefined },
  ];
  const options = (): readonly CallOptions[] => [
    { ceilings: [{ mode: "plan", tools: ["a"], rules: [{ decision: "deny" }] }] },
    // @ts-expect-error: there is no such member.
    { ceilings: [{ denys: ["t"] }] },
    // @ts-expect-error: there is no such mode.
    { ceilings: [{ mode: "pln" }] },
    // @ts-expect-error: a text is no decision.
    { decision: { approved: "true", scope: "once" } },
    // @ts-expect-error: there is no such scope.
    { decision: { approved: true, scope: "forever" } },
    // @ts-expect-error: a refusal needs its reason.
    { decision: { approved: false } },
  ];
  assert.deepEqual(
    [tools, policies, options].map((one) => typeof one),
    ["function", "function", "function"],
  );
});
