import { resolve } from "node:path";
import {
  CONFIG_FLAGS,
  STORE_FLAG,
  type Arguments,
  type Command,
  type World,
} from "../../terminal/input/command.ts";
import { onlyArgument, refuseFlags, takeAction, textFlag } from "../../terminal/input/check-arguments.ts";
import { loadConfig } from "../../config/config.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { loadTrustedConfig, type Trusted } from "../../host/store/apply-trust.ts";
import { readConfiguredRules } from "../../host/configured-policy.ts";
import type { Mode } from "../../../core/policy.ts";
import { DECISIONS, type Decision, type Rule } from "../../../core/rule.ts";
import type { Subject } from "../../../core/subject.ts";
import { matchUser } from "../../../util/people/match-people.ts";
import { personNamed, readPeople } from "../../host/people/named-person.ts";
import { ToolError } from "../../../core/errors.ts";
import type { RuleLayer } from "../../../policy/layers/rule-layer.ts";
import { idOf } from "../../../policy/layers/rule-set.ts";
import { checkRules } from "../../../policy/rules/check-rules.ts";
import { createPolicyCommands } from "../../host/policy.ts";
import { parsePolicyText, policyFilesOf } from "../../config/files/policy-files.ts";
import { readGuardedFile } from "../../config/files/read-guarded-file.ts";
import { RULE_FLAGS, addRule } from "./add-rule.ts";
import { openTools } from "../../terminal/open-terminal-host.ts";
import { testPolicy } from "./test-policy.ts";
import { knownToolNames, unknownTools } from "./unknown-tools.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { withHint } from "../../../util/text/error-message.ts";
import { visible } from "../../../util/text/visible.ts";

const ACTIONS = ["check", "test", ...DECISIONS] as const;

export const policy: Command = {
  name: "policy",
  summary: "list the rules in force, write a rule, check policy files, or test them",
  usage:
    "[--as USER] [--json]\nallow|ask|deny [TOOL] [--path GLOB | --command COMMAND | --domain HOST]\ncheck [FILE …] [--json]\ntest FILE [--json]",
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    as: { summary: "only the rules about calls of this person", value: "USER", for: ["list"] },
    json: {
      summary: "print the rules by layer, or the results, as JSON",
      for: ["list", "check", "test"],
    },
    ...Object.fromEntries(
      Object.entries(RULE_FLAGS).map(([name, flag]) => [name, { ...flag, for: DECISIONS }]),
    ),
    ...CONFIG_FLAGS,
    store: { ...STORE_FLAG.store, for: ["list", "test"] },
  },
  examples: {
    policy: "every rule by layer: built-in, user, project",
    "policy --as bob": "the rules about calls of a person",
    "policy allow edit_file --path 'src/**'": "edits in src run without approval",
    "policy allow --command 'npm test'": "this command runs in this folder without approval",
    "policy deny --path '**/.env'": "no tool may touch these files",
    "policy check": "test the examples in the user and project policy.json; exit code 2 on a problem",
    "policy test cases.jsonl": "judge the calls of a file; exit code 2 if a verdict is not the expected one",
    "policy check team.json": "check another file",
  },
  async run(given, world) {
    if (given.positionals.length === 0) {
      refuseFlags(policy, given, "list", "policy");
      return list(given, world);
    }
    const { action, rest } = takeAction(policy, given, ACTIONS);
    if (action === "test")
      return testPolicy(onlyArgument(rest, "file: toolwright policy test FILE"), given, {
        world,
        open: (flags) => openTools(flags, world, { judges: true, startsMcpLate: true }),
      });
    const { config } = await loadTrusted(given, world);
    if (action !== "check") return addRule(config, action, { ...given, positionals: rest }, world);
    const checked = await checkFiles(
      config,
      rest.map((file) => resolve(config.paths.workspace[0], file)),
    );
    const isSound = checked.every(({ problems }) => problems.length === 0);
    const isJson = given.flags["json"] === true;
    const report = isJson ? `${JSON.stringify({ ok: isSound, files: checked })}\n` : describeChecks(checked);
    await world.output.print(report);
    return isSound ? 0 : 2;
  },
};

async function loadTrusted({ flags }: Arguments, world: World): Promise<Trusted> {
  const trusted = await loadTrustedConfig({ flags, config: loadConfig(flags, world.environment()) });
  for (const warning of trusted.config.report.warnings) world.output.warn(warning);
  return trusted;
}

async function list(given: Arguments, world: World): Promise<number> {
  const { output, columns } = world;
  const { config, trust } = await loadTrusted(given, world);
  const { layers: all, problems, notes } = await readConfiguredRules(config, trust);
  const as = textFlag(given, "as");
  const layers = as === undefined ? all : layersAbout(all, personNamed(await readPeople(config), as));
  for (const problem of [...problems, ...notes]) output.warn(problem);
  const report =
    given.flags["json"] === true
      ? `${JSON.stringify({ mode: config.policy.mode, layers })}\n`
      : describeLayers(config.policy.mode, layers, columns);
  await output.print(report);
  return problems.length === 0 ? 0 : 2;
}

/** Returns the rules that match calls of a person, with the ids that they have among all. */
function layersAbout(layers: readonly RuleLayer[], user: Subject): readonly RuleLayer[] {
  return layers.map((layer) => ({
    ...layer,
    rules: layer.rules
      .map((rule, index) => ({ ...rule, id: idOf(rule, layer.name, index) }))
      .filter((rule) => matchUser(rule, user) !== "none"),
  }));
}

/** The check result of one policy file. */
interface FileCheck {
  readonly file: string;
  /** False if the file does not exist, which is a problem only for files named on the command line. */
  readonly exists: boolean;
  readonly rules: Readonly<Record<Decision, number>>;
  /** Each makes the file unusable. */
  readonly problems: readonly string[];
  /** Rules that never decide a call. */
  readonly notes: readonly string[];
}

/** Checks these files; without files, those of the user and the project. */
async function checkFiles(
  config: ConfigGroups<"paths" | "tools">,
  files: readonly string[],
): Promise<readonly FileCheck[]> {
  const { user, project } = policyFilesOf(config.paths);
  const own = user === project ? [user] : [user, project];
  const checked = await Promise.all((files.length > 0 ? files : own).map((file) => checkFile(config, file)));
  return checked.map((one) =>
    one.exists || files.length === 0 ? one : { ...one, problems: [`${one.file} does not exist`] },
  );
}

async function checkFile(config: ConfigGroups<"paths" | "tools">, file: string): Promise<FileCheck> {
  const nothing = { file, exists: true, rules: countOf([]), problems: [], notes: [] };
  try {
    const text = readGuardedFile(file);
    if (text === undefined) return { ...nothing, exists: false };
    const { rules } = parsePolicyText(text, file);
    const { faults, notes } = await checkRules(rules, file, {
      workspace: config.paths.workspace,
      home: config.paths.userHome,
      commands: createPolicyCommands(config.paths.userHome),
    });
    const names = knownToolNames(config.tools);
    const unknown = rules.flatMap((rule, index) =>
      unknownTools(rule, names).map((note) => `${file}: rules[${index}]: ${note}`),
    );
    return { ...nothing, rules: countOf(rules), problems: faults, notes: [...notes, ...unknown] };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { ...nothing, problems: [withHint(error)] };
  }
}

/** Lists the files, then the problems and notes of each. */
function describeChecks(checked: readonly FileCheck[]): string {
  const rows = checked.map(({ file, exists, rules, problems }) => [
    stateOf(exists, problems),
    visible(file),
    countText(rules),
  ]);
  const lines = checked.flatMap(({ problems, notes }) => [
    ...problems.map((problem) => `problem: ${visible(problem)}\n`),
    ...notes.map((note) => `note: ${visible(note)}\n`),
  ]);
  return `${alignRows(rows)}${lines.join("")}`;
}

function stateOf(exists: boolean, problems: readonly string[]): string {
  if (problems.length > 0) return "refused";
  return exists ? "ok" : "none";
}

/** Lists the rules by layer, lowest first. */
function describeLayers(mode: Mode, layers: readonly RuleLayer[], columns: number | undefined): string {
  const parts = layers.map((layer) => {
    const rows = layer.rules.map((rule, index) =>
      ruleRow(rule, idOf(rule, layer.name, index), layer.mayAllow),
    );
    const head = `${layer.name}: ${countText(countOf(layer.rules))}${layer.mode === undefined ? "" : `, mode ${layer.mode}`}`;
    return `${head}\n${alignRows(rows, columns)}`;
  });
  return `mode: ${mode}\n\n${parts.join("\n")}`;
}

function ruleRow(rule: Rule, id: string, mayAllow: boolean): readonly string[] {
  const { id: _id, decision, reason = "", match: _match, not_match: _others, ...conditions } = rule;
  const isOff = decision === "allow" && !mayAllow;
  const about = Object.keys(conditions).length === 0 ? "every call" : JSON.stringify(conditions);
  return [`  ${decision}${isOff ? " (off)" : ""}`, visible(id), visible(about), visible(reason)];
}

function countOf(rules: readonly Rule[]): FileCheck["rules"] {
  const count = (decision: Decision): number => rules.filter((rule) => rule.decision === decision).length;
  return { deny: count("deny"), ask: count("ask"), allow: count("allow") };
}

function countText({ deny, ask, allow }: FileCheck["rules"]): string {
  return `${deny} deny, ${ask} ask, ${allow} allow`;
}
