import { starPattern } from "../../util/text/name-pattern.ts";
import type { Rule } from "../../core/rule.ts";
import { listOf } from "../match/compile-rule.ts";
import { findShadow } from "./find-shadow.ts";
import type { ExampleSetting } from "./try-examples.ts";
import { tryExamples } from "./try-examples.ts";

/** What was found out about rules. A fault refuses their file; a note is something to know. */
export interface RuleCheck {
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

export interface RuleCheckSetting extends ExampleSetting {
  /** The names of all tools, where they are known. */
  readonly tools?: readonly string[];
}

/** Tries the examples of every rule, and looks for rules that can never decide anything. Each sentence names its place. */
export async function checkRules(
  rules: readonly Rule[],
  name: string,
  setting: RuleCheckSetting,
): Promise<RuleCheck> {
  const faults: string[] = [];
  const notes: string[] = [];
  for (const [index, rule] of rules.entries()) {
    const place = `${name}: rules[${index}]`;
    if (hasCommandExamples(rule) && setting.commands === undefined) {
      notes.push(`${place}: its examples are commands, which nobody reads here; they were not tried`);
    } else faults.push(...(await tryExamples(rule, setting)).map((fault) => `${place}: ${fault}`));
    notes.push(...neverMatches(rule, setting).map((why) => `${place} never matches: ${why}`));
    const shadow = findShadow(rules, index);
    if (shadow !== undefined) notes.push(`${place} decides nothing: ${shadow}`);
  }
  return { faults, notes };
}

function hasCommandExamples({ command, match = [], not_match: others = [] }: Rule): boolean {
  return command !== undefined && match.length + others.length > 0;
}

function neverMatches(rule: Rule, { tools }: RuleCheckSetting): readonly string[] {
  const { tool, path, access, command, exact, domain, input } = rule;
  const why: string[] = [];
  if (access !== undefined && path === undefined) why.push("access says something only beside path");
  if (exact !== undefined && command === undefined && input === undefined)
    why.push("exact says something only beside command or input");
  if (path !== undefined && listOf(path).every(leadsUp)) why.push("a canonical path has no .. in it");
  const blank = command?.find((token) => /\s/.test(token));
  if (command !== undefined && blank === command[0] && blank !== undefined)
    why.push(`${JSON.stringify(blank)} is one token; give each word its own`);
  const wrong = listOf(domain ?? []).find((host) => /[/:@]/.test(host) && !host.startsWith("["));
  if (wrong !== undefined) why.push(`${JSON.stringify(wrong)} is no host: leave out what stands around it`);
  const isKnown = (pattern: string): boolean => tools?.some(starPattern(pattern)) ?? true;
  if (tool !== undefined && !listOf(tool).some(isKnown))
    why.push(`there is no tool ${listOf(tool).join(" or ")}`);
  return why;
}

function leadsUp(pattern: string): boolean {
  return pattern.split("/").includes("..");
}
