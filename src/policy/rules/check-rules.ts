import { starPattern } from "../../util/text/name-pattern.ts";
import type { Rule } from "../../core/rule.ts";
import { listOf } from "../match/list-of.ts";
import { findShadow } from "./find-shadow.ts";
import { checkExamples, type ExampleContext } from "./check-examples.ts";

/** The problems of a list of rules. A fault rejects the file; a note does not. */
export interface RuleCheck {
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

export interface RuleCheckContext extends ExampleContext {
  /** The names of all tools, if known. */
  readonly tools?: readonly string[];
}

/** Checks the examples of every rule and finds rules that can never decide a call. Each message names the rule by its index. */
export async function checkRules(
  rules: readonly Rule[],
  name: string,
  context: RuleCheckContext,
): Promise<RuleCheck> {
  const faults: string[] = [];
  const notes: string[] = [];
  for (const [index, rule] of rules.entries()) {
    const place = `${name}: rules[${index}]`;
    if (hasCommandExamples(rule) && context.commands === undefined) {
      notes.push(`${place}: its examples were not checked: this policy does not read commands`);
    } else faults.push(...(await checkExamples(rule, context)).map((fault) => `${place}: ${fault}`));
    notes.push(...neverMatches(rule, context).map((why) => `${place} never matches: ${why}`));
    const shadow = findShadow(rules, index);
    if (shadow !== undefined) notes.push(`${place} has no effect: ${shadow}`);
  }
  return { faults, notes };
}

function hasCommandExamples({ command, match = [], not_match: others = [] }: Rule): boolean {
  return command !== undefined && match.length + others.length > 0;
}

function neverMatches(rule: Rule, { tools }: RuleCheckContext): readonly string[] {
  const { tool, path, access, command, exact, domain, input } = rule;
  const why: string[] = [];
  if (access !== undefined && path === undefined) why.push("access has no effect without path");
  if (exact !== undefined && command === undefined && input === undefined)
    why.push("exact has no effect without command or input");
  if (path !== undefined && listOf(path).every(leadsUp)) why.push("a canonical path contains no ..");
  const blank = command?.find((token) => /\s/.test(token));
  if (command !== undefined && blank === command[0] && blank !== undefined)
    why.push(`${JSON.stringify(blank)} is one token; write each word as its own token`);
  const wrong = listOf(domain ?? []).find((host) => /[/:@]/.test(host) && !host.startsWith("["));
  if (wrong !== undefined)
    why.push(`${JSON.stringify(wrong)} is not a host: remove the scheme, port and path`);
  const isKnown = (pattern: string): boolean => tools?.some(starPattern(pattern)) ?? true;
  if (tool !== undefined && !listOf(tool).some(isKnown))
    why.push(`no tool is named ${listOf(tool).join(" or ")}`);
  return why;
}

function leadsUp(pattern: string): boolean {
  return pattern.split("/").includes("..");
}
