import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import type { Rule } from "../../../core/rule.ts";
import type { Commands } from "../../../shell/syntax/command-knowledge.ts";
import type { RuleLayer } from "../../../policy/layers/rule-layer.ts";
import { idOf } from "../../../policy/layers/rule-set.ts";
import { parsePolicyFile, type PolicyFile } from "../../../policy/rules/parse-policy.ts";
import { withHint } from "../../../util/text/error-message.ts";
import { parseJsonc, withPlace } from "./jsonc.ts";
import { readGuardedFile } from "./read-guarded-file.ts";
import { counted } from "../../../util/text/words.ts";

/** Returns true if the user trusts a rule of the project, or its `{ mode }`, with exactly this content. */
export type IsRuleTrusted = (name: string, content: Json) => boolean;

export interface PolicyFilesOptions {
  /** `~/.toolwright`, or where it was moved. */
  readonly home: string;
  readonly userHome: string;
  /** The first is the project's folder. */
  readonly workspace: readonly [string, ...string[]];
  readonly isTrusted: IsRuleTrusted;
  /** The rules that come with the program. */
  readonly builtIn: readonly Rule[];
  /** Without it, examples of commands are not checked. */
  readonly commands?: Commands;
  /** A flag or a variable sets the mode: modes in files do not count. */
  readonly modeIsChosen?: boolean;
}

/** The rules in force, and the problems of their files. */
export interface PolicyFiles {
  readonly layers: readonly RuleLayer[];
  /** Files that were refused, and why: one line each. */
  readonly problems: readonly string[];
  /** Rules that can never decide anything, and rules that are off until they are trusted: one line each. */
  readonly notes: readonly string[];
}

/** Returns the files in which rules are written. */
export function policyFilesOf({ home, workspace: [root] }: Pick<PolicyFilesOptions, "home" | "workspace">): {
  readonly user: string;
  readonly project: string;
} {
  return { user: join(home, "policy.json"), project: join(root, ".toolwright", "policy.json") };
}

/**
 * Reads the rules of the user and of the project, over the built-in ones. Never rejects: a refused file gives a problem, and a
 * rule that makes every call need approval until the file is fixed, as it is unknown what the file would have denied.
 */
export async function readPolicyFiles(options: PolicyFilesOptions): Promise<PolicyFiles> {
  const files = policyFilesOf(options);
  const builtIn: RuleLayer = { name: "built-in", rules: options.builtIn, mayAllow: true };
  const user = await readLayer(files.user, "user", options);
  // In the user's home both are the same file.
  const project = files.project === files.user ? NOTHING : await readLayer(files.project, "project", options);
  return {
    layers: [builtIn, ...user.layers, ...project.layers],
    problems: [...user.problems, ...project.problems],
    notes: [...user.notes, ...project.notes],
  };
}

const NOTHING: PolicyFiles = { layers: [], problems: [], notes: [] };

async function readLayer(
  file: string,
  name: "user" | "project",
  options: PolicyFilesOptions,
): Promise<PolicyFiles> {
  try {
    if (name === "project") refuseLinkedFolder(dirname(file));
    const text = readGuardedFile(file);
    if (text === undefined) return NOTHING;
    const whole = parsePolicyText(text, file);
    const parsed = options.modeIsChosen === true ? { rules: whole.rules } : whole;
    const { workspace, userHome: home, commands } = options;
    // Loaded on use: most users have no rules of their own.
    const { checkRules } = await import("../../../policy/rules/check-rules.ts");
    const { faults, notes } = await checkRules(parsed.rules, file, { workspace, home, commands });
    if (faults.length > 0) return refuse(name, faults);
    const layers =
      name === "user" ? [{ name, ...named(parsed, name), mayAllow: true }] : projectLayers(parsed, options);
    const off = name === "user" ? [] : untrusted(file, parsed, options);
    return { layers, problems: [], notes: [...notes, ...off] };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return refuse(name, [withHint(error)]);
  }
}

/** Parses the text of a policy file. Throws `INVALID_INPUT`, naming the file, line and column, if it is invalid. */
export function parsePolicyText(text: string, file: string): PolicyFile {
  const document = parseJsonc(text, file);
  return withPlace(
    file,
    () => text,
    [],
    () => parsePolicyFile(document, file),
  );
}

/** A link could lead the project's folder of settings anywhere. */
function refuseLinkedFolder(folder: string): void {
  const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink)
    throw new ToolError("INVALID_INPUT", `${folder} is a link`, { hint: "put the folder itself there" });
}

/** Makes every call need approval: what the file would have denied is unknown. */
function refuse(name: string, problems: readonly string[]): PolicyFiles {
  const reason = `the rules of the ${name} are refused: ${problems[0] ?? ""}`;
  const rule: Rule = { id: `${name}.refused`, decision: "ask", reason };
  return { layers: [{ name, rules: [rule], mayAllow: false }], problems, notes: [] };
}

/** Rules that loosen count only if they are trusted; rules that tighten always count. */
function projectLayers(file: PolicyFile, { isTrusted }: PolicyFilesOptions): readonly RuleLayer[] {
  const { rules, mode } = named(file, "project");
  const isFree = (rule: Rule): boolean =>
    rule.decision === "allow" && isTrusted(rule.id ?? "", contentOf(rule, file, rules));
  const modeIsTrusted = mode !== undefined && isTrusted("mode", { mode });
  const strict = { name: "project", rules: rules.filter((rule) => !isFree(rule)), mayAllow: false };
  const free = { name: "project (trusted)", rules: rules.filter(isFree), mayAllow: true };
  if (mode === undefined) return free.rules.length === 0 ? [strict] : [strict, free];
  if (modeIsTrusted) return [{ ...free, mode }, strict];
  return free.rules.length === 0 ? [{ ...strict, mode }] : [{ ...strict, mode }, free];
}

function untrusted(file: string, parsed: PolicyFile, options: PolicyFilesOptions): readonly string[] {
  const off = projectLayers(parsed, options)
    .filter(({ mayAllow }) => !mayAllow)
    .flatMap(({ rules }) => rules.filter(({ decision }) => decision === "allow"));
  if (off.length === 0) return [];
  const what = counted(off.length, "rule that allows is", "rules that allow are");
  return [`${file}: ${what} off until you trust this folder's rules: ${off.map(({ id }) => id).join(", ")}`];
}

/** Gives every rule an id, which verdicts, trust and lists share. */
function named({ rules, mode }: PolicyFile, layer: string): PolicyFile {
  const withIds = rules.map((rule, index) => ({ ...rule, id: idOf(rule, layer, index) }));
  return mode === undefined ? { rules: withIds } : { rules: withIds, mode };
}

/** Returns the rule as it is written: another id or reason makes it another rule. */
function contentOf(rule: Rule, file: PolicyFile, rules: readonly Rule[]): Json {
  return JSON.parse(JSON.stringify(file.rules[rules.indexOf(rule)])) as Json;
}
