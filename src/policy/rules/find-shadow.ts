import { starPattern } from "../../util/text/name-pattern.ts";
import type { Rule } from "../../core/rule.ts";
import { listOf } from "../match/list-of.ts";
import { matchInput } from "../match/match-input.ts";

const STRICTNESS: Readonly<Record<Rule["decision"], number>> = { allow: 0, ask: 1, deny: 2 };

/** Returns why a rule can never decide a call: a stricter rule covers it, or an earlier one is equivalent. */
export function findShadow(rules: readonly Rule[], index: number): string | undefined {
  const rule = rules[index];
  if (rule === undefined) return undefined;
  for (const [place, other] of rules.entries()) {
    if (place === index || !covers(other, rule)) continue;
    if (STRICTNESS[other.decision] > STRICTNESS[rule.decision])
      return `rules[${place}] covers it and is stricter`;
    const isSame = other.decision === rule.decision && covers(rule, other);
    if (isSame && place < index) return `rules[${place}] is equivalent`;
  }
  return undefined;
}

/** Returns true if the first rule certainly matches every call that the second one matches. */
function covers(wide: Rule, narrow: Rule): boolean {
  return (
    coversTools(wide, narrow) &&
    (wide.source === undefined || wide.source === narrow.source) &&
    (wide.group === undefined || wide.group === narrow.group) &&
    coversPeople(wide, narrow) &&
    coversSending(wide, narrow) &&
    coversTexts(wide.path, narrow.path) &&
    (wide.access === undefined || wide.access === narrow.access) &&
    coversCommand(wide, narrow) &&
    coversTexts(wide.domain, narrow.domain) &&
    coversInput(wide, narrow)
  );
}

function coversInput(wide: Rule, narrow: Rule): boolean {
  if (wide.input === undefined) return true;
  if (narrow.input === undefined || !matchInput(narrow.input, wide.input, wide.exact === true)) return false;
  return wide.exact !== true || narrow.exact === true;
}

function coversPeople(wide: Rule, narrow: Rule): boolean {
  const isCovered = (key: "who" | "except"): boolean =>
    wide[key] === undefined || isSameJson(wide[key], narrow[key]);
  const demandsMore =
    wide.decision === "ask" &&
    narrow.approvers !== undefined &&
    !isSameJson(wide.approvers, narrow.approvers);
  return isCovered("who") && isCovered("except") && !demandsMore;
}

function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function coversSending(wide: Rule, narrow: Rule): boolean {
  return narrow.afterUntrustedText !== true || wide.decision !== "allow" || wide.afterUntrustedText === true;
}

function coversTools({ tool: wide }: Rule, { tool: narrow }: Rule): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  const patterns = listOf(wide).map(starPattern);
  return listOf(narrow).every((name) => patterns.some((matches) => matches(name)));
}

function coversTexts(wide: Rule["path"], narrow: Rule["path"]): boolean {
  if (wide === undefined) return true;
  return narrow !== undefined && listOf(narrow).every((one) => listOf(wide).includes(one));
}

function coversCommand(wide: Rule, narrow: Rule): boolean {
  if (wide.command === undefined) return true;
  const tokens = narrow.command;
  if (wide.folder !== undefined && wide.folder !== narrow.folder) return false;
  if (tokens === undefined || !wide.command.every((token, index) => tokens[index] === token)) return false;
  return wide.exact !== true || (narrow.exact === true && tokens.length === wide.command.length);
}
