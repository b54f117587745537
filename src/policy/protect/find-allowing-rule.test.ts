import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeShell } from "../../../test/support/engines/judge-shell.ts";
import { jobOf, kindBy, pathFact, toolNamed } from "../../../test/support/engines/policy-jobs.ts";
import type { Fact } from "../../core/fact.ts";
import type { Rule } from "../../core/rule.ts";
import { KNOWLEDGE, shellSubject } from "../../../test/support/engines/shell-subject.ts";
import { CompiledRule } from "../match/compile-rule.ts";
import { findAllowingRule } from "./find-allowing-rule.ts";

type AllowRule = Omit<Rule, "decision">;

const host: Fact = { kind: "host", host: "a.com" };
const other: Fact = { kind: "host", host: "b.com" };
const inside = pathFact("/w/out/x", "write");
const outside = pathFact("/etc/x", "write");

for (const [rule, facts, kind] of [
  [{ path: "out/**" }, [inside], "allow"],
  [{ path: "out/**", access: "read" }, [inside], "ask"],
  [{ path: "out/**" }, [inside, pathFact("/w/b")], "ask"],
  [{ command: ["cp"], path: "out/**" }, [inside], "ask"],
  [{ command: ["cp"], path: "/etc/**" }, [outside], "deny"],
  [{ path: "/etc/**" }, [outside], "allow"],
  [{ path: "/etc/**", domain: "a.com" }, [outside], "deny"],
  [{ path: "/etc/**", domain: "a.com" }, [outside, host], "allow"],
  [{ path: "/etc/**", domain: "a.com" }, [outside, other], "deny"],
  [{ domain: "a.com" }, [host], "allow"],
  [{ domain: "a.com" }, [host, other], "ask"],
  [{ domain: ["a.com", "b.com"] }, [host, other], "allow"],
  [{ command: ["curl"], domain: "a.com" }, [host], "ask"],
  [{ path: "out/**", domain: "a.com" }, [host], "ask"],
  [{ path: "out/**", domain: "a.com" }, [inside], "ask"],
  [{ path: "out/**", domain: "a.com" }, [inside, host], "allow"],
  [{ path: "out/**", domain: "a.com" }, [inside, host, other], "ask"],
  [{ path: "out/**", domain: "a.com" }, [inside, host, pathFact("/w/b")], "ask"],
] as const satisfies readonly (readonly [AllowRule, readonly Fact[], string])[])
  test(`${kind} is the verdict on ${JSON.stringify(facts)} with an allow of ${JSON.stringify(rule)}`, () => {
    const job = jobOf(facts, { tool: toolNamed("any_tool") });
    assert.equal(kindBy([{ ...rule, decision: "allow" }], job), kind);
  });

for (const [rule, command, kind] of [
  [{ command: ["curl"] }, "curl http://b.com", "allow"],
  [{ command: ["curl"], domain: "a.com" }, "curl http://a.com", "allow"],
  [{ command: ["curl"], domain: "a.com" }, "curl -s 'https://a.com/x?y=1'", "allow"],
  [{ command: ["curl"], domain: "a.com" }, "curl http://b.com", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl http://a.com http://b.com", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl A.com --head", "allow"],
  [{ command: ["curl"], domain: "a.com" }, "curl b.com", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl -x b.com http://a.com", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl -xb http://a.com", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl http://a.com b.com-x", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl --proxy=b http://a.com", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl --proxy=http://b http://a.com", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl b.com/x://a.com", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl http://a.com@b.com", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl 'http://{a.com,b.com}'", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl http://a.com; curl http://b.com", "ask"],
  [{ command: ["curl"], domain: "a.com" }, "curl http://a.com; ls", "allow"],
  [{ command: ["git", "clone"], domain: "a.com" }, "git clone HTTPS://a.com/x.git", "allow"],
  [{ command: ["curl"], domain: "a.com" }, "curl --version", "ask"],
  [{ domain: "a.com" }, "curl http://a.com", "ask"],
  [{ command: ["cp"], path: "out/**", access: "write" }, "cp a out/b", "allow"],
  [{ command: ["cp"], path: "out/**", access: "write" }, "cp a b", "ask"],
  [{ command: ["cp"], path: "out/**", access: "write" }, "cp a out/b > log", "ask"],
  [{ command: ["cp"], path: "out/**" }, "cp a out/b", "ask"],
  [{ command: ["make"], path: "out/**" }, "make", "ask"],
  [{ command: ["cp"], path: "/etc/**", access: "write" }, "cp a /etc/x", "allow"],
  [{ command: ["cp"], path: "/etc/**", access: "write" }, "cp a /etc/x; make", "ask"],
  [{ command: ["cp"], path: "/etc/**", access: "write" }, "ls; cp a /etc/x", "allow"],
  [{ command: ["cp"], path: "/etc/**", access: "write" }, "rm /etc/x", "deny"],
  [{ command: ["cp"], path: "/etc/**", access: "write", domain: "a.com" }, "cp a /etc/x", "deny"],
] as const satisfies readonly (readonly [AllowRule, string, string])[])
  test(`${kind} is the verdict on ${command} with an allow of ${JSON.stringify(rule)}`, async () => {
    const layers = [{ name: "user", rules: [{ ...rule, decision: "allow" } as const], mayAllow: true }];
    assert.equal((await judgeShell(command, layers)).kind, kind);
  });

test("a rule about a command and a path outside opens the path for this command alone", async () => {
  const rules: readonly Rule[] = [
    { command: ["cp"], path: "/etc/**", access: "write", decision: "allow" },
    { command: ["rm"], decision: "allow" },
  ];
  const layers = [{ name: "user", rules, mayAllow: true }];
  assert.equal((await judgeShell("cp a /etc/x", layers)).kind, "allow");
  assert.equal((await judgeShell("rm /etc/x", layers)).kind, "deny");
});

test("several rules together cover several hosts", () => {
  const rules: readonly Rule[] = [
    { domain: "a.com", decision: "allow" },
    { domain: "b.com", decision: "allow" },
  ];
  assert.equal(kindBy(rules, jobOf([host, other])), "allow");
});

const WHOLE: AllowRule = {};
const MAKE: AllowRule = { command: ["make"] };
const OUT: AllowRule = { path: "out", access: "write" };

/** Returns the index of the rule that allows a command, with the first rule that covers a part of it. */
async function allowing(
  text: string | readonly string[],
  rules: readonly AllowRule[],
  { more = [], readingIsFree = true, ...changes }: Changes = {},
): Promise<string | undefined> {
  const context = { workspace: ["/w"], home: undefined, knowledge: KNOWLEDGE };
  const compiled = rules.map(
    (rule, index) => new CompiledRule({ ...rule, decision: "allow" }, `${index}`, "user", context),
  );
  const subject = await shellSubject(text, more, changes);
  return findAllowingRule(compiled, subject, { ...context, readingIsFree })?.id;
}

interface Changes {
  readonly more?: readonly Fact[];
  readonly readingIsFree?: boolean;
  readonly interactive?: true;
}

for (const [text, rules, expected] of [
  ["make", [WHOLE], "0"],
  ["make > out", [WHOLE], undefined],
  ["make > out", [WHOLE, OUT], "0"],
  ["make > out", [MAKE, OUT], "0"],
  ["make > out", [OUT], undefined],
  ["make < in > out", [MAKE, OUT], "0"],
  ["make < in", [MAKE], "0"],
  ["make > out 2> log", [MAKE, OUT], undefined],
  ["make; make > out", [MAKE], undefined],
  ["make > /dev/null", [WHOLE], "0"],
  ["make > /dev/fd/1", [WHOLE], "0"],
  ["make > /dev/fd/3", [WHOLE], undefined],
  ["make > /dev/nullx", [WHOLE], undefined],
  ["make > x/dev/null", [WHOLE], undefined],
  ["A=1 make", [WHOLE], undefined],
  ["A=1", [WHOLE], undefined],
  ["make *", [WHOLE], undefined],
  ["find . -delete", [WHOLE], undefined],
  ["make", [{ path: "**" }], undefined],
  ["> out", [WHOLE], undefined],
  ["> /dev/null", [WHOLE], undefined],
  ["A=1 > out", [OUT], undefined],
  ["A=1 > out; make", [OUT, MAKE], undefined],
  ["> out", [OUT], "0"],
  ["> out", [{ domain: "a.com" }, OUT], "1"],
  ["> out; ls", [OUT], "0"],
  ["> out; make", [OUT], undefined],
  ["> out; make", [OUT, MAKE], "1"],
  ["ls; make", [MAKE], "0"],
  ["A=1 ls; make", [MAKE], undefined],
  ["ls > out; make", [MAKE, OUT], undefined],
  ["touch a; make", [MAKE], undefined],
  ["make", [{ ...MAKE, folder: "/w" }], "0"],
  ["cd sub; make", [{ ...MAKE, folder: "/w" }], undefined],
  ["cd sub || true; make", [{ ...MAKE, folder: "/w/sub" }], undefined],
  ["ls; cp a /etc/x", [{ command: ["cp"], path: "/etc/**", access: "write" }], "0"],
] as const satisfies readonly (readonly [string, readonly AllowRule[], string | undefined])[])
  test(`${expected === undefined ? "no rule" : `rule ${expected}`} of ${JSON.stringify(rules)} allows ${text}`, async () => {
    assert.equal(await allowing(text, rules), expected);
  });

test("commands that only read need no rule beside covered ones only if reading is free", async () => {
  assert.equal(await allowing("ls; make", [MAKE], { readingIsFree: false }), undefined);
});

test("every command of a call must be proven", async () => {
  assert.equal(await allowing(["make", "make"], [MAKE]), "0");
  assert.equal(await allowing("make", [MAKE], { interactive: true }), undefined);
  assert.equal(await allowing(["make", "make $x"], [MAKE]), undefined);
});

test("the hosts and servers that a call with a command reaches need a rule of their own, or one for the whole call", async () => {
  for (const [rules, expected] of [
    [[MAKE], undefined],
    [[MAKE, { domain: "a.com" }], "0"],
    [[MAKE, { domain: "b.com" }], undefined],
    [[MAKE, WHOLE], "0"],
  ] as const)
    assert.equal(await allowing("make", rules, { more: [host] }), expected, JSON.stringify(rules));
  const more: readonly Fact[] = [{ kind: "mcp", server: "s", tool: "t" }];
  assert.equal(await allowing("make", [MAKE], { more }), undefined);
  assert.equal(await allowing("make", [MAKE, WHOLE], { more }), "0");
});
