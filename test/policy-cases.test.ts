import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";
import { loadShellParser } from "../src/app/shell-parser.ts";
import type { Fact } from "../src/core/fact.ts";
import type { Verdict } from "../src/core/policy.ts";
import { flagsOf } from "../src/policy/command/programs/canonical-flags.ts";
import { DISASTER_RULES } from "../src/policy/command/programs/disaster-rules.ts";
import { findDisaster } from "../src/policy/command/programs/disasters.ts";
import { describeCommand } from "../src/policy/command/programs/judge-command.ts";
import { createCommandReader } from "../src/policy/command/reader.ts";
import { createPolicy } from "../src/policy/policy.ts";
import { parsePolicyFile } from "../src/policy/rules/parse-rules.ts";
import { HOME, jobOf, SHELL, WORKSPACE } from "./support/policy-jobs.ts";
import { sharedData, withoutSharedData } from "./support/shared-data.ts";

interface Cases {
  readonly policy: object;
  readonly cases: readonly { readonly command: string; readonly expect: string; readonly why: string }[];
}

const { read } = createCommandReader({ home: HOME, loadParser: loadShellParser });
const knowledge = { describe: describeCommand, flags: flagsOf, disaster: findDisaster };

async function judge(
  command: string,
  layers: Parameters<typeof createPolicy>[0]["layers"],
): Promise<Verdict> {
  const policy = createPolicy({
    mode: "auto",
    workspace: [WORKSPACE],
    home: HOME,
    layers: layers ?? [],
    commands: { knowledge, read },
  });
  const fact = { kind: "command", text: command, cwd: WORKSPACE } as const;
  const reading = await read(fact);
  const paths = reading.paths.map(({ text, cwd, access, suspected }): Fact => {
    const path = posix.resolve(cwd, text.replace(/^~(?=\/|$)/, HOME));
    return { kind: "path", path, access, ...(suspected === true ? { suspected } : {}) };
  });
  return policy.judge(jobOf([{ ...fact, reading }, ...paths], { tool: SHELL, input: { command } }));
}

if (withoutSharedData !== false) test("the public cases of shell commands", { skip: withoutSharedData });
else {
  const { policy, cases } = JSON.parse(readFileSync(sharedData("shell-policy.json"), "utf8")) as Cases;
  const { rules } = parsePolicyFile(JSON.stringify(policy), "policy.json");
  const layers = [
    { name: "built-in", rules: DISASTER_RULES, mayAllow: true },
    { name: "user", rules, mayAllow: true },
  ];
  for (const { command, expect, why } of cases) {
    test(`${JSON.stringify(command)} gets ${expect}: ${why}`, async () => {
      const { kind, rule, reason } = await judge(command, layers);
      const told = `${kind} by ${rule}: ${reason}`;
      if (expect === "guarded") assert.notEqual(kind, "allow", told);
      else assert.equal(kind, expect, told);
    });
  }
}
