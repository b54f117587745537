import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Fact } from "../core/fact.ts";
import type { Job } from "../core/job.ts";
import { MODES, type Ceiling } from "../core/policy.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Rule } from "../core/rule.ts";
import { jobOf, judgeBy, pathFact, shellJob, toolNamed } from "../../test/support/engines/policy-jobs.ts";
import { runs } from "../../test/support/property-runs.ts";

const STRICTNESS: Readonly<Record<Verdict["kind"], number>> = { allow: 0, ask: 1, deny: 2 };
const RUNS = { numRuns: runs(1500) };

const tools = ["read_file", "write_file", "s__t", "shell"];
const word = fc.constantFrom(
  "git",
  "rm",
  "-rf",
  "-r",
  "-f",
  "diff",
  "push",
  "x",
  "$x",
  "'a b'",
  ".env",
  "/etc/x",
  "--output=f",
);
const text = fc
  .array(
    fc.tuple(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(";", "&&", "|", "> out", "> .env"),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((parts) =>
    parts
      .map(([words, end]) => [...words, end].join(" "))
      .join(" ")
      .replace(/(?:;|&&|\|)$/, ""),
  );
const path = fc.constantFrom("/w/a", "/w/.env", "/w/src/b", "/w/SRC/b", "/etc/x", "/w/.git/config", "/w");
const fact: fc.Arbitrary<Fact> = fc.oneof(
  fc.tuple(path, fc.constantFrom("read", "write"), fc.boolean()).map(([at, access, isUnread]): Fact => ({
    ...pathFact(at, access),
    ...(isUnread ? { unread: true } : {}),
  })),
  fc.constantFrom("a.com", "b.a.com").map((host): Fact => ({ kind: "host", host })),
  fc.constant<Fact>({ kind: "mcp", server: "s", tool: "t" }),
);
const plainJob = fc
  .record({
    facts: fc.array(fact, { maxLength: 3 }),
    name: fc.constantFrom(...tools),
    risk: fc.constantFrom("low", "medium", "high"),
    input: fc.constantFrom({}, { a: 1 }),
  })
  .map(({ facts, name, risk, input }) => jobOf(facts, { tool: toolNamed(name), risk, input }));
const job: fc.Arbitrary<Job> = fc.oneof(
  plainJob,
  text.map((one) => shellJob(one)),
);

const parts = {
  tool: fc.constantFrom("read_file", "write_*", "shell", "s__t"),
  path: fc.constantFrom("**/.env", "src/**", "/etc/**", "**", "a"),
  access: fc.constantFrom("read", "write"),
  command: fc.array(fc.constantFrom("git", "rm", "-rf", "-f", "diff", "push", "x"), {
    minLength: 1,
    maxLength: 3,
  }),
  exact: fc.boolean(),
  domain: fc.constantFrom("a.com", "*.a.com"),
  input: fc.constantFrom({ a: 1 }, {}),
} as const;
// Rules with few conditions match more calls, so that two rules often match the same call.
const condition: fc.Arbitrary<Partial<Rule>> = fc.oneof(
  fc.constant({}),
  fc.record({ tool: parts.tool }),
  fc.record({ path: parts.path }),
  fc.record({ command: parts.command }),
  fc.record(parts, { requiredKeys: [] }),
);
const rule = (decision: Rule["decision"]): fc.Arbitrary<Rule> =>
  condition.map((given) => ({ ...given, decision }));
const anyRule = fc.oneof(rule("allow"), rule("ask"), rule("deny"));
const rules = fc.array(anyRule, { maxLength: 5 });
const mode = fc.constantFrom(...MODES);

test("adding a deny, an ask or a ceiling never loosens", () => {
  const ceiling: fc.Arbitrary<Ceiling> = fc.record(
    { mode, tools: fc.subarray(tools), rules },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      rules,
      fc.oneof(rule("ask"), rule("deny")),
      ceiling,
      job,
      mode,
      (given, added, above, one, how) => {
        const before = STRICTNESS[judgeBy(given, one, how).kind];
        assert.ok(STRICTNESS[judgeBy([...given, added], one, how).kind] >= before);
        assert.ok(STRICTNESS[judgeBy(given, one, how, { ceilings: [above] }).kind] >= before);
      },
    ),
    RUNS,
  );
});

test("adding an allow changes nothing that a deny, a protected target, a possible deny or an ask rule decided", () => {
  fc.assert(
    fc.property(rules, rule("allow"), job, mode, (given, added, one, how) => {
      const before = judgeBy(given, one, how);
      const after = judgeBy([...given, added], one, how);
      const isByMode = before.rule.startsWith("mode.") && before.kind === "ask";
      const mayChange =
        isByMode ||
        before.rule === "unread-overwrite" ||
        (["workspace-boundary", "protected-read"].includes(before.rule) && added.path !== undefined) ||
        before.kind === "allow";
      if (!mayChange) assert.deepEqual(after, before);
      if (before.kind === "deny" && before.rule !== "workspace-boundary") assert.equal(after.kind, "deny");
    }),
    RUNS,
  );
});

test("the verdict does not depend on the order of the rules", () => {
  fc.assert(
    fc.property(rules, job, mode, (given, one, how) => {
      assert.equal(judgeBy(given.toReversed(), one, how).kind, judgeBy(given, one, how).kind);
    }),
    RUNS,
  );
});

test("an offered grant allows the same call if the mode asked, and never overrides a deny", () => {
  fc.assert(
    fc.property(rules, job, job, fc.constantFrom("auto", "ask"), (given, one, other, how) => {
      const { grant, rule: by } = judgeBy(given, one, how);
      if (grant === undefined) return;
      const kept = {
        id: "g",
        scope: "always",
        hash: "h",
        tool: one.tool.name,
        grantedAt: 0,
        rule: grant,
      } as const;
      const isExact = !by.startsWith("mode.");
      const hash = { hash: () => "h" };
      assert.equal(judgeBy(given, one, how, { grants: [kept], ...(isExact ? hash : {}) }).kind, "allow");
      if (judgeBy(given, other, how).kind !== "deny") return;
      assert.equal(judgeBy(given, other, how, { grants: [kept] }).kind, "deny");
    }),
    RUNS,
  );
});
