import type { Rule } from "../../core/rule.ts";
import type { RuleLayer } from "../../policy/layers/rule-layer.ts";
import { toolPatternOf } from "../../sources/mcp/tools/names.ts";
import type { Policy } from "../../core/policy.ts";
import { createPolicy } from "../../policy/policy.ts";
import type { Commands } from "../../shell/syntax/command-knowledge.ts";
import { DISASTER_RULES } from "../../shell/programs/disasters/disaster-rules.ts";
import type { ConfigReport, ConfigGroups, McpSettings } from "../config/groups.ts";
import { rolesOf } from "../config/access/roles.ts";
import { canonicalPath } from "../config/folders.ts";
import { readPolicyFiles, type PolicyFiles } from "../config/files/policy-files.ts";
import type { Trust } from "../config/files/trust.ts";
import type { Levels } from "./levels.ts";
import type { ChosenSandbox } from "./sandbox/sandbox.ts";
import { unknownRoles } from "./people/unknown-people.ts";
import { boxesFor, createPolicyCommands } from "./policy.ts";
import { defined } from "../../util/json/defined.ts";

/** The rules in force for a config, and how commands are read. */
export interface ConfiguredRules extends PolicyFiles {
  readonly commands: Commands;
}

/** Where programs run, as policy must know it. */
interface PolicyPlace extends Pick<ChosenSandbox, "strictDeny"> {
  readonly sandbox?: Levels["policySandbox"];
}

/** Creates the policy of a config: its mode, its workspace and the rules of all layers. */
export function createConfiguredPolicy(
  config: ConfigGroups<"policy" | "paths" | "sandbox">,
  { layers, commands }: ConfiguredRules,
  { sandbox, strictDeny }: PolicyPlace = {},
): Policy {
  const {
    policy: { mode, shell },
    paths: { workspace, userHome, home, store },
  } = config;
  return createPolicy({
    mode,
    workspace,
    home: userHome,
    layers,
    commands,
    border: config.policy.border,
    afterUntrustedText: config.policy.afterUntrustedText,
    readOnlyShellIsLow: shell.readOnlyIsLow,
    protectedFolders: [home, ...(store === ":memory:" ? [] : [store])].flatMap((folder) => [
      folder,
      canonicalPath(folder),
    ]),
    ...defined({ strictDeny }),
    // Read for each call: a level may be chosen while the program runs.
    get sandbox() {
      return sandbox?.();
    },
  });
}

/**
 * Reads the rules in force for a config. Never rejects because of a file: a refused file is a problem in the result. A rule of
 * the project that allows counts only if `trust` has exactly its content.
 */
export async function readConfiguredRules(
  config: ConfigGroups<"auth" | "paths" | "policy" | "sandbox" | "report" | "mcp">,
  trust: Trust | undefined,
  level: Levels["current"] = () => config.policy.level,
): Promise<ConfiguredRules> {
  const { home, userHome, workspace } = config.paths;
  // A tool server without isolation has no read-only sandbox either.
  const hasBoxes = config.policy.shell.sandbox && config.sandbox.kind !== "process";
  const tries = (): boolean => level() === "read-only";
  const commands = createPolicyCommands(userHome, hasBoxes ? boxesFor(workspace) : () => false, tries);
  const files = await readPolicyFiles({
    home,
    userHome,
    workspace,
    commands,
    builtIn: DISASTER_RULES,
    isTrusted: (name, content) => trust?.isTrustedContent("rule", name, content) === true,
    modeIsChosen: isModeChosen(config.report),
  });
  const rules = autoApproved(config.mcp);
  const approved: RuleLayer = { name: "user (mcpServers)", rules, mayAllow: true };
  const notes = [...files.notes, ...unknownRoles(files.layers, rolesOf(config.auth.roles))];
  return {
    ...files,
    notes,
    layers: rules.length === 0 ? files.layers : [...files.layers, approved],
    commands,
  };
}

/** Returns the rules of `autoApprove` of the user's own MCP servers. */
function autoApproved({ servers }: McpSettings): readonly Rule[] {
  return Object.entries(servers).flatMap(([server, { autoApprove: names }]) => {
    if (!Array.isArray(names) || names.length === 0) return [];
    const tool = (names as readonly unknown[]).flatMap((name) =>
      typeof name === "string" ? toolPatternOf(server, name) : [],
    );
    const id = `mcpServers.${server}.autoApprove`;
    return [{ id, tool, source: `mcp:${server}`, decision: "allow" as const }];
  });
}

/** Returns true if a flag or an environment variable sets the mode: then the modes in rule files do not count. */
function isModeChosen({ origins }: ConfigReport): boolean {
  const from = origins.find(({ key }) => key === "mode")?.from ?? "";
  return from.startsWith("flag ") || from.startsWith("environment ");
}
