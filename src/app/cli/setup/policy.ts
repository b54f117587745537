import { resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import type { Arguments, Command, World } from "../../terminal/input/command.ts";
import { CONFIG_FLAGS } from "../../terminal/input/command.ts";
import type { Trusted } from "../../host/store/apply-trust.ts";
import { loadTrustedConfig } from "../../host/store/apply-trust.ts";
import { printWarning } from "../../terminal/print/print-warning.ts";
import { checkFiles, describeChecks, describeLayers } from "./policy-check.ts";
import { readConfiguredRules } from "../../host/configured-policy.ts";

const ACTIONS = ["check"] as const;

export const policy: Command = {
  name: "policy",
  summary: "list the rules in force, or check the files they are written in",
  usage: "[check [FILE …]] [--json]",
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    json: { summary: "print the layers with their rules, or what each file says, as JSON" },
    ...CONFIG_FLAGS,
  },
  examples: [
    { line: "policy", does: "every rule, by layer: built in, yours, the project's" },
    {
      line: "policy check",
      does: "try the examples in your policy.json and the project's; exit code 2 on a fault",
    },
    { line: "policy check team.json", does: "the same for a file before it is put in its place" },
  ],
  async run(given, world) {
    const files = readFiles(given);
    const { config, trust } = await loadTrustedConfig(given.flags);
    for (const warning of config.warnings) printWarning(world.output, warning);
    if (files === undefined) return list({ config, trust }, given, world);
    const checked = await checkFiles(
      config,
      files.map((file) => resolve(file)),
    );
    const isSound = checked.every(({ problems }) => problems.length === 0);
    const isJson = given.flags["json"] === true;
    const told = isJson ? `${JSON.stringify({ ok: isSound, files: checked })}\n` : describeChecks(checked);
    await world.output.print(told);
    return isSound ? 0 : 2;
  },
};

/** The files to check, none for those in force; undefined where nothing is to be checked. */
function readFiles({ positionals: [action, ...files] }: Arguments): readonly string[] | undefined {
  if (action === undefined) return undefined;
  if (action === "check") return files;
  throw new ToolError("INVALID_INPUT", `"${action}" is nothing that can be done with the policy`, {
    hint: nearHint(action, ACTIONS, "toolwright policy lists the rules, toolwright policy check tries them"),
  });
}

async function list(
  { config, trust }: Pick<Trusted, "config" | "trust">,
  { flags }: Arguments,
  { output, columns }: World,
): Promise<number> {
  const { layers, problems, notes } = await readConfiguredRules(config, trust);
  for (const problem of [...problems, ...notes]) printWarning(output, problem);
  const told =
    flags["json"] === true
      ? `${JSON.stringify({ mode: config.mode, layers })}\n`
      : describeLayers(config.mode, layers, columns);
  await output.print(told);
  return problems.length === 0 ? 0 : 2;
}
