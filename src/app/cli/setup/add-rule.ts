import { editConfigFile } from "../../config/files/config-file.ts";
import { policyFilesOf } from "../../config/files/policy-files.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import type { ConfigGroups, PathSettings } from "../../config/groups.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Decision, Rule } from "../../../core/rule.ts";
import type { Json } from "../../../core/json.ts";
import { SCRIPT_WARNING, isNamedScript } from "../../../policy/grant-offers.ts";
import { checkRules } from "../../../policy/rules/check-rules.ts";
import { parsePolicyFile } from "../../../policy/rules/parse-policy.ts";
import type { Commands } from "../../../shell/syntax/command-knowledge.ts";
import { defined } from "../../../util/json/defined.ts";
import { escapePattern } from "../../../util/text/name-pattern.ts";
import { visible } from "../../../util/text/visible.ts";
import { createPolicyCommands } from "../../host/policy.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { knownToolNames, unknownTools } from "./unknown-tools.ts";

/** The flags that describe a rule. */
export const RULE_FLAGS = {
  path: { summary: "allow, ask, deny: glob of paths; relative ones are in the workspace", value: "GLOB" },
  access: { summary: "with --path: only this kind of access", value: "KIND", choices: ["read", "write"] },
  command: { summary: "allow, ask, deny: a command, as typed", value: "COMMAND" },
  domain: { summary: "allow, ask, deny: a host; *.example.com is every subdomain", value: "HOST" },
  reason: { summary: "allow, ask, deny: shown in verdicts", value: "TEXT" },
  anywhere: { summary: "allow: in every folder, not only in this one" },
  project: { summary: "write to the project's policy.json instead of yours" },
} as const;

/** Adds a rule to the user's or the project's policy file and keeps its comments. Throws on a rule that would be refused. */
export async function addRule(
  config: ConfigGroups<"paths" | "tools">,
  decision: Decision,
  given: Arguments,
  world: World,
): Promise<void> {
  const commands = createPolicyCommands(config.paths.userHome);
  const { rules: added, warnings } = await readRules(config.paths, decision, given, commands);
  const files = policyFilesOf(config.paths);
  const isProject = given.flags["project"] === true;
  const file = isProject ? files.project : files.user;
  const folder = isProject ? config.paths.workspace[0] : undefined;
  const ownNotes: string[] = [];
  // One after the other: each is added to the list as it is written, with its comments.
  for (const rule of added)
    await editConfigFile(
      file,
      { changesFolder: stateFoldersOf(config.paths).changes, folder },
      async (written) => {
        const { rules } = parsePolicyFile(written, file);
        const all = [...rules, rule];
        // The whole file, so that a rule that makes it invalid is never written.
        parsePolicyFile({ rules: all }, file);
        const { workspace, userHome: home } = config.paths;
        const { faults, notes } = await checkRules(all, file, { workspace, home, commands });
        const [fault] = faults;
        if (fault !== undefined) throw new ToolError("INVALID_INPUT", fault);
        ownNotes.push(...notes.filter((one) => one.includes(`rules[${rules.length}]`)));
        const value = (rules.length === 0 ? [rule] : rule) as unknown as Json;
        return { path: rules.length === 0 ? ["rules"] : ["rules", rules.length], value };
      },
    );
  const known = knownToolNames(config.tools);
  for (const rule of added) await world.output.print(`${visible(file)}: ${visible(JSON.stringify(rule))}\n`);
  for (const note of [...ownNotes, ...added.flatMap((rule) => unknownTools(rule, known)), ...warnings])
    world.output.warn(note);
  if (decision === "allow" && file === files.project && file !== files.user)
    world.output.warn("a rule of the project that allows is off until you run toolwright trust");
}

/** The rules of one command line, and what a person should know about them. */
interface ReadRules {
  readonly rules: readonly Rule[];
  readonly warnings: readonly string[];
}

async function readRules(
  paths: PathSettings,
  decision: Decision,
  given: Arguments,
  commands: Commands,
): Promise<ReadRules> {
  const { tool, path, access, line, domain, reason } = readFlags(decision, given);
  const { flags } = given;
  const [root] = paths.workspace;
  const command = line === undefined ? undefined : await readCommands(line, root, decision, commands);
  // What the user allows in one folder must not hold in another that has the same names.
  const isBound = decision === "allow" && flags["anywhere"] !== true;
  const ruleOf = (one?: Listed): Rule => ({
    ...defined({
      tool: tool ?? (one === undefined ? undefined : "shell"),
      path:
        path === undefined
          ? undefined
          : toGlob(path, isBound && flags["project"] !== true ? root : undefined),
      access: access as Rule["access"],
      command: one?.tokens,
      folder: isBound ? one?.folder : undefined,
      domain,
    }),
    ...(one !== undefined && decision === "allow" && { exact: true }),
    decision,
    ...defined({ reason }),
  });
  if (command === undefined) return { rules: [ruleOf()], warnings: [] };
  return { rules: command.map(ruleOf), warnings: command.flatMap(({ warning }) => warning ?? []) };
}

/** Returns the conditions of the rule. Throws if there are none, or if they would mean more than they say. */
function readFlags(decision: Decision, { positionals, flags }: Arguments) {
  const [tool, ...rest] = positionals;
  if (rest.length > 0)
    throw new ToolError("INVALID_INPUT", `unexpected arguments: ${rest.join(" ")}`, {
      hint: `quote a command: toolwright policy ${decision} --command "${positionals.join(" ")}"`,
    });
  const {
    path,
    access,
    command: line,
    domain,
    reason,
  } = flags as Readonly<Record<string, string | undefined>>;
  if ([tool, path, line, domain].every((one) => one === undefined))
    throw new ToolError(
      "INVALID_INPUT",
      `missing rule: toolwright policy ${decision} TOOL, --path, --command or --domain`,
      {
        hint: "a rule without a condition would decide every call; see toolwright policy --help",
      },
    );
  if (access !== undefined && path === undefined)
    throw new ToolError("INVALID_INPUT", "--access can only be used with --path");
  const mayBeAnywhere = decision !== "allow" || flags["anywhere"] === true || flags["project"] === true;
  if (!mayBeAnywhere && path === undefined && line === undefined)
    throw new ToolError(
      "INVALID_INPUT",
      `a rule that allows ${JSON.stringify(tool ?? domain)} holds in every folder`,
      { hint: "add --anywhere if it should, or --path or --command to allow less" },
    );
  return { tool, path, access, line, domain, reason };
}

/** Returns the glob of a path: a folder stands for everything in it, and a relative path is in the given folder. */
function toGlob(path: string, root: string | undefined): string {
  const glob = path.endsWith("/") ? `${path}**` : path;
  return root === undefined || /^(?:\/|~\/)/.test(glob) ? glob : `${escapePattern(root)}/${glob}`;
}

/** One command of a list. */
interface Listed {
  readonly tokens: readonly string[];
  readonly folder: string;
  readonly warning?: string | undefined;
}

/**
 * Returns the tokens of a command, or of each in a list that is allowed, with a warning about those that can run anything. Throws if
 * a rule would mean more than it says.
 */
export async function readCommands(
  text: string,
  cwd: string,
  decision: Decision,
  { read, knowledge }: Commands,
): Promise<readonly Listed[]> {
  const { certainty, commands } = await read({ kind: "command", text, cwd });
  const isPlain = commands.every(
    ({ words, assignments, redirects, cwds }) =>
      words.length > 0 &&
      assignments.length + redirects.length === 0 &&
      cwds.length === 1 &&
      words.every(({ literal }) => literal),
  );
  const isMany = commands.length > 1 && decision !== "allow";
  if (!isPlain || isMany || commands.length === 0 || certainty !== "proven")
    throw new ToolError("INVALID_INPUT", `${JSON.stringify(text)} is not one plain command`, {
      hint: "write one rule for each command, without variables, patterns and redirects",
    });
  return commands.map((command) => {
    const tokens = command.words.map((word) => word.text);
    const why = isNamedScript(tokens) ? SCRIPT_WARNING : knowledge.describe(command).ungrantable;
    const [folder = cwd] = command.cwds;
    return { tokens, folder, warning: decision === "allow" ? why : undefined };
  });
}
