import { resolve } from "node:path";
import { CONFIG_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { chooseAction } from "../../terminal/input/check-arguments.ts";
import { loadConfig } from "../../config/config.ts";
import { loadTrustedConfig, type Trusted } from "../../host/store/apply-trust.ts";
import { printWarning } from "../../terminal/print/print-warning.ts";
import { checkFiles, describeChecks, describeLayers } from "./policy-check.ts";
import { readConfiguredRules } from "../../host/configured-policy.ts";

const ACTIONS = ["check"] as const;

export const policy: Command = {
  name: "policy",
  summary: "list the rules in force, or check policy files",
  usage: "[--json]\ncheck [FILE …] [--json]",
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    json: { summary: "print the rules by layer, or the check results, as JSON" },
    ...CONFIG_FLAGS,
  },
  examples: [
    { line: "policy", does: "every rule by layer: built-in, user, project" },
    {
      line: "policy check",
      does: "test the examples in the user and project policy.json; exit code 2 on a problem",
    },
    { line: "policy check team.json", does: "check another file" },
  ],
  async run(given, world) {
    const files = readFiles(given);
    const { config, trust } = await loadTrustedConfig(
      given.flags,
      loadConfig(given.flags, world.environment()),
    );
    for (const warning of config.warnings) printWarning(world.output, warning);
    if (files === undefined) return list({ config, trust }, given, world);
    const checked = await checkFiles(
      config,
      files.map((file) => resolve(config.workspace[0], file)),
    );
    const isSound = checked.every(({ problems }) => problems.length === 0);
    const isJson = given.flags["json"] === true;
    const report = isJson ? `${JSON.stringify({ ok: isSound, files: checked })}\n` : describeChecks(checked);
    await world.output.print(report);
    return isSound ? 0 : 2;
  },
};

/** Returns the files to check, empty for those in force; undefined without the action. */
function readFiles({ positionals: [action, ...files] }: Arguments): readonly string[] | undefined {
  if (action === undefined) return undefined;
  chooseAction(action, ACTIONS, "policy");
  return files;
}

async function list(
  { config, trust }: Pick<Trusted, "config" | "trust">,
  { flags }: Arguments,
  { output, columns }: World,
): Promise<number> {
  const { layers, problems, notes } = await readConfiguredRules(config, trust);
  for (const problem of [...problems, ...notes]) printWarning(output, problem);
  const report =
    flags["json"] === true
      ? `${JSON.stringify({ mode: config.mode, layers })}\n`
      : describeLayers(config.mode, layers, columns);
  await output.print(report);
  return problems.length === 0 ? 0 : 2;
}
