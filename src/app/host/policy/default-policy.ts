import type { Job } from "../../../core/job.ts";
import type { Policy, Verdict } from "../../../core/policy.ts";
import { loadBeside } from "../../../util/load-beside.ts";
import { decideByModes } from "../../../policy/layers/modes.ts";
import type { BuiltInPolicyOptions } from "./built-in-policy.ts";
import type * as builtIn from "./built-in-policy.ts";
import { createPolicyCommands } from "./policy-commands.ts";

/**
 * The policy without any file. What it takes to judge rules, paths and commands is loaded by the first call that has any:
 * no built-in rule is about a call that touches nothing.
 */
export function createDefaultPolicy(options: BuiltInPolicyOptions): Policy {
  const { mode = "auto", rules = [], home } = options;
  const commands = createPolicyCommands(home);
  let loaded: Policy | undefined;
  const policy = (): Policy => {
    if (loaded !== undefined) return loaded;
    const { createBuiltInPolicy } = loadBeside(import.meta.url, "./built-in-policy") as typeof builtIn;
    loaded = createBuiltInPolicy(options, commands);
    return loaded;
  };
  // Compiled at once, so that a rule that cannot be is told where it is given.
  if (rules.length > 0) policy();
  const judgeUntouching = (job: Job): Verdict | undefined => {
    if (loaded !== undefined || job.facts.length > 0) return undefined;
    const byMode = decideByModes([mode], job.tool.name, job.risk);
    return byMode.kind === "allow" ? byMode : undefined;
  };
  return {
    judge: (job, circumstances) =>
      (circumstances === undefined ? judgeUntouching(job) : undefined) ?? policy().judge(job, circumstances),
    read: commands.read,
    hides: (...given) => policy().hides?.(...given) === true,
  };
}
