import { posix } from "node:path";
import { createPolicyCommands } from "../../../src/app/host/policy.ts";
import type { Fact } from "../../../src/core/fact.ts";
import type { Mode } from "../../../src/core/policy.ts";
import type { Verdict } from "../../../src/core/verdict.ts";
import { createPolicy } from "../../../src/policy/policy.ts";
import type { RuleLayer } from "../../../src/policy/layers/rule-layer.ts";
import { HOME, jobOf, SHELL, WORKSPACE } from "./policy-jobs.ts";

const commands = createPolicyCommands(HOME);

/** Judges a command by these rules in the test workspace; paths are resolved lexically. */
export async function judgeShell(
  command: string,
  layers: readonly RuleLayer[],
  mode: Mode = "auto",
): Promise<Verdict> {
  const policy = createPolicy({
    mode,
    workspace: [WORKSPACE],
    home: HOME,
    layers,
    commands,
  });
  const fact = { kind: "command", text: command, cwd: WORKSPACE } as const;
  const reading = await commands.read(fact);
  const paths = reading.paths.map(({ text, cwd, access, suspected }): Fact => {
    const path = posix.resolve(cwd, text.replace(/^~(?=\/|$)/, HOME));
    return { kind: "path", path, access, ...(suspected === true ? { suspected } : {}) };
  });
  return policy.judge(jobOf([{ ...fact, reading }, ...paths], { tool: SHELL, input: { command } }));
}
