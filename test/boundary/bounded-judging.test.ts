import assert from "node:assert/strict";
import { test } from "node:test";
import { createPolicyCommands } from "../../src/app/host/policy.ts";
import { judgeShell } from "../support/engines/judge-shell.ts";

const RULES = [
  {
    name: "user",
    mayAllow: true,
    rules: [
      { command: ["rm"], decision: "deny" },
      { path: "**/.env", decision: "deny" },
      { domain: "*.internal", decision: "deny" },
    ],
  },
] as const;

const MAX_TEXT = 65_536;

/** Repeats a text up to the greatest length that is read. */
function fill(text: string): string {
  return text.repeat(Math.floor((MAX_TEXT - 100) / text.length));
}

const HOSTILE: Readonly<Record<string, string>> = {
  "a megabyte": "a ".repeat(500_000),
  "a megabyte of wrappers": `${"env ".repeat(250_000)} ls`,
  "10 000 wrappers": `${"env ".repeat(10_000)} ls`,
  "10 000 wrappers with unknown options": `${"sudo -? ".repeat(8_000)} ls`,
  "10 000 nested substitutions": `${"$(".repeat(10_000)}ls${")".repeat(10_000)}`,
  "10 000 nested arithmetic expansions": "$((1+".repeat(10_000),
  "a pipeline": `${fill("a|")}a`,
  "doubled values": `${fill("a=$a$a;")}$a`,
  "variables of unknown value": fill("$a "),
  "shells in shells": fill("bash -c 'ls';"),
  functions: fill("f(){ a;};"),
  braces: fill("{a,b}"),
};

for (const [what, command] of Object.entries(HOSTILE)) {
  test(`${what}: reading is given up after a limited number of steps, and needs approval`, async () => {
    const reading = await createPolicyCommands("/home/ada").read({
      kind: "command",
      text: command,
      cwd: "/w",
    });
    // Each command and word that was found has taken at least one step.
    const words = reading.commands.reduce((sum, one) => sum + one.words.length, 0);
    assert.ok(words + reading.commands.length <= 50_000, String(words));
    assert.ok(reading.paths.length <= 2000);
    assert.equal(reading.isReadOnly, false);
    assert.notEqual((await judgeShell(command, RULES, "yolo")).kind, "allow");
  });
}

for (const count of [1, 20, 30]) {
  test(`${count} wrappers around a denied command hide nothing`, async () => {
    assert.equal((await judgeShell(`${"env ".repeat(count)} rm -rf x`, RULES, "yolo")).kind, "deny");
  });
}

for (const count of [33, 100, 5000]) {
  test(`${count} wrappers are too many to be read, so no mode runs them without approval`, async () => {
    for (const text of ["rm -rf x", "rm -rf /", "ls"]) {
      const { kind, rule } = await judgeShell(`${"env ".repeat(count)} ${text}`, RULES, "yolo");
      assert.deepEqual([kind, rule], ["ask", "unreadable-command"]);
    }
  });
}

const HOSTS = [{ name: "user", mayAllow: true, rules: [{ domain: "x.test", decision: "deny" }] }] as const;

test("a long host name is compared in linear time, and may be a denied host", async () => {
  const { kind } = await judgeShell(`curl http://${"a".repeat(60_000)}_`, RULES, "yolo");
  assert.equal(kind, "ask");
});

for (const [what, host] of [
  ["colons", `'[${":".repeat(60_000)}'`],
  ["colons in words", `${":a".repeat(1000)} `.repeat(30)],
  ["brackets", `'${"[".repeat(60_000)}'`],
  ["braces", `'http://${"{a}".repeat(20_000)}{b,c}'`],
  ["globs", `'${"{a,b}[1-2]".repeat(6000)}'`],
  ["addresses", "127.1 ".repeat(10_000)],
  ["numbers", Array.from({ length: 9000 }, (_, at) => String(at)).join(" ")],
  ["schemes", `'${"://{[".repeat(12_000)}'`],
] as const)
  test(`hosts are found in linear time in many ${what}`, async () => {
    await judgeShell("ls", RULES, "yolo");
    const start = performance.now();
    await judgeShell(`curl ${host}`, HOSTS, "yolo");
    assert.ok(performance.now() - start < 3000);
  });
