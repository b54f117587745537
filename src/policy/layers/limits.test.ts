import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS, jobOf, shellJob } from "../../../test/support/engines/policy-jobs.ts";
import type { Grant } from "../../core/grant.ts";
import type { Circumstances } from "../../core/policy.ts";
import { toSubject } from "../match/subject.ts";
import { createGrants } from "./limits.ts";

const grantsFor = createGrants({ workspace: ["/w"], home: undefined, knowledge: undefined });
const subject = toSubject(shellJob("make"), COMMANDS.knowledge);

function grantsOf(grant: Partial<Grant>, circumstances: Circumstances = {}) {
  const grants = [{ id: "g", scope: "always", hash: "h", tool: "shell", grantedAt: 0, ...grant } as const];
  return grantsFor(subject, { grants, hash: () => "h", ...circumstances });
}

test("a grant of a rule is a rule of the folder in which it was given", () => {
  const [rule, ...others] = grantsOf({
    rule: { command: ["make"], decision: "allow" },
    folder: "/w",
  }).rules();
  assert.deepEqual([rule?.id, rule?.layer, rule?.folder, others], ["grant.g", "always", "/w", []]);
});

for (const [what, grant] of [
  ["without a rule", {}],
  ["of another tool", { tool: "make", rule: { command: ["make"], decision: "allow" } }],
  ["of a rule that asks", { rule: { command: ["make"], decision: "ask" } }],
  ["of a rule that denies", { rule: { command: ["make"], decision: "deny" } }],
] as const satisfies readonly (readonly [string, Partial<Grant>])[])
  test(`a grant ${what} is no rule that allows`, () => {
    assert.deepEqual(grantsOf(grant).rules(), []);
  });

for (const [what, isFound, grant, circumstances] of [
  ["given for the same input", true, {}],
  ["given for another input", false, { hash: "other" }],
  ["given in the folder of the command", true, { folder: "/w" }],
  ["given in another folder", false, { folder: "/w/sub" }],
  ["of another tool", false, { tool: "other" }],
  ["and no hash of the call", false, {}, { hash: undefined }],
  ["given for an input without hash, and none of the call", false, { hash: undefined }, { hash: undefined }],
] as const)
  test(`a grant ${what} is ${isFound ? "" : "not "}a grant of exactly this call`, () => {
    const grants = grantsOf(grant as Partial<Grant>, circumstances as Circumstances | undefined);
    assert.equal(grants.exact()?.id, isFound ? "g" : undefined);
  });

test("the hash is computed only if a grant of the tool may depend on it", () => {
  const hash = (): string => assert.fail("computed");
  assert.equal(grantsOf({ tool: "other" }, { hash }).exact(), undefined);
  const none = grantsFor(toSubject(jobOf([]), undefined), { hash });
  assert.deepEqual([none.rules(), none.exact()], [[], undefined]);
  const empty = grantsFor(subject, { grants: [], hash });
  assert.deepEqual([empty.rules(), empty.exact()], [[], undefined]);
});
