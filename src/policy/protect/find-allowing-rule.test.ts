import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeShell } from "../../../test/support/engines/judge-shell.ts";
import { jobOf, kindBy, pathFact, toolNamed } from "../../../test/support/engines/policy-jobs.ts";
import type { Fact } from "../../core/fact.ts";
import type { Rule } from "../../core/rule.ts";

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
