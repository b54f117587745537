import { ToolError } from "../../../core/errors.ts";
import type { Rule } from "../../../core/rule.ts";
import type { RuleLayer } from "../../../policy/layers/rule-layer.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { createPolicyCommands } from "../../host/policy.ts";
import type { Arguments, Flags } from "../../terminal/input/command.ts";
import { readCommands } from "../setup/add-rule.ts";
import { knownToolNames } from "../setup/unknown-tools.ts";

/** The flags that add rules for one run. */
export const PATTERN_FLAGS = {
  allow: {
    summary: "run these calls without approval: a tool, or a command as typed, which may end in *",
    value: "PATTERN",
    isRepeatable: true,
  },
  deny: {
    summary: "deny these calls: a tool, and a command and everything that begins with it",
    value: "PATTERN",
    isRepeatable: true,
  },
} as const satisfies Flags;

/**
 * Returns the rules of `--allow` and `--deny`; undefined without these flags. A word is a tool if a tool has that name or if it has `*`
 * or `_`; everything else is a command. A denied tool is also denied as a command. Throws on a command that no rule can name.
 */
export async function readRuleLayer(
  { repeated = {} }: Pick<Arguments, "repeated">,
  config: ConfigGroups<"paths" | "tools">,
): Promise<RuleLayer | undefined> {
  const rules: Rule[] = [];
  for (const decision of ["allow", "deny"] as const)
    for (const [index, pattern] of (repeated[decision] ?? []).entries()) {
      const id = `flag.${decision}.${index + 1}`;
      const conditions = await conditionsOf(pattern.trim(), decision, config);
      for (const [part, condition] of conditions.entries())
        rules.push({ id: part === 0 ? id : `${id}.${part + 1}`, ...condition, decision });
    }
  return rules.length === 0 ? undefined : { name: "flags", rules, mayAllow: true };
}

async function conditionsOf(
  pattern: string,
  decision: "allow" | "deny",
  { paths, tools }: ConfigGroups<"paths" | "tools">,
): Promise<readonly Partial<Rule>[]> {
  refuseOtherForms(pattern, decision);
  const isName = /^[\w*.-]+$/.test(pattern);
  const isTool = isName && (/[*_]/.test(pattern) || knownToolNames(tools).has(pattern));
  // `ls` is a tool and a command: a person who denies it means both.
  if (isTool && (decision === "allow" || pattern.includes("*"))) return [{ tool: pattern }];
  const isOpen = decision === "deny" || pattern.endsWith(" *");
  const [folder] = paths.workspace;
  const text = pattern.endsWith(" *") ? pattern.slice(0, -2) : pattern;
  const commands = await readCommands(text, folder, decision, createPolicyCommands(paths.userHome));
  const ofCommands = commands.map(({ tokens, folder: own }) => ({
    tool: "shell",
    command: tokens,
    ...(decision === "allow" && { folder: own }),
    ...(!isOpen && { exact: true }),
  }));
  return isTool ? [{ tool: pattern }, ...ofCommands] : ofCommands;
}

/** Throws on the form of other agents, such as `Bash(npm test:*)`, with the form that is meant. */
function refuseOtherForms(pattern: string, decision: string): void {
  const [, name = "", inner = ""] = /^(\w+)\((.*)\)$/.exec(pattern) ?? [];
  const hint =
    name === ""
      ? `write a tool or a command: --${decision} edit_file, --${decision} 'npm test'`
      : `write the ${/^(?:bash|shell)/i.test(name) ? `command: --${decision} '${inner.replace(/:?\*$/, " *")}'` : `tool: --${decision} ${name.toLowerCase()}`}`;
  if (name !== "" || pattern === "")
    throw new ToolError("INVALID_INPUT", `--${decision}: ${JSON.stringify(pattern)} is no tool or command`, {
      hint,
    });
}
