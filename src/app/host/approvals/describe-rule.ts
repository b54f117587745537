import type { Grant } from "../../../core/grant.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Rule } from "../../../core/rule.ts";
import { describeApprovers, describePeople } from "../../../util/people/match-people.ts";
import { visible } from "../../../util/text/visible.ts";
import { quoteWord, shownPath } from "./describe-fact.ts";

/** Returns every condition of a rule for people: `shell, exactly the command git push`. */
export function describeRule(rule: Omit<Rule, "decision">): string {
  const { tool, exact = false, command, input, domain, path, access, ...rest } = rule;
  const { who, except, approvers } = rest;
  const use = { read: "reading", write: "writing" } as const;
  const parts = [
    ...(tool === undefined ? [] : [listOf(tool)]),
    ...(command === undefined
      ? []
      : [`${exact ? "exactly the " : ""}command ${command.map(quoteWord).join(" ")}`]),
    ...(input === undefined ? [] : [`${exact ? "only " : ""}${describeInput(input)}`]),
    ...(domain === undefined ? [] : [`host ${listOf(domain)}`]),
    ...(path === undefined ? [] : [`${access === undefined ? "path" : use[access]} ${listOf(path)}`]),
    ...(["source", "group", "folder"] as const).flatMap((name) =>
      rest[name] === undefined ? [] : [`${name} ${listOf(rest[name])}`],
    ),
  ];
  const people = [
    ...(who === undefined ? [] : [` by ${describePeople(who) ?? "nobody"}`]),
    ...(except === undefined ? [] : [` by anybody but ${describePeople(except) ?? "nobody"}`]),
    ...(approvers === undefined ? [] : [`, approved by ${describeApprovers(approvers)}`]),
  ];
  return visible(`${parts.length === 0 ? "every call" : parts.join(", ")}${people.join("")}`);
}

/** Returns the calls that a rule allows, in a few words: `edit_file on src/sum.ts`. Paths below `folder` are relative to it. */
export function describeCalls({ decision: _decision, ...rule }: Rule, folder?: string): string {
  const { tool, path, access, command, exact, ...others } = rule;
  const isPlain = Object.keys(others).length === 0;
  if (isPlain && command !== undefined && exact === true && path === undefined)
    return visible(`exactly the command ${command.map(quoteWord).join(" ")}`);
  if (!isPlain || command !== undefined || path === undefined || typeof tool !== "string" || exact === true)
    return describeRule(rule);
  const paths = (typeof path === "string" ? [path] : path).map((one) => shownPath(one, folder));
  return visible(access === "read" ? `${tool} reading ${listOf(paths)}` : `${tool} on ${listOf(paths)}`);
}

/** Returns what a saved approval allows. */
export function describeGrant({ rule, tool, adds }: Pick<Grant, "rule" | "tool" | "adds">): string {
  if (adds !== undefined) return visible(`${adds} is part of the workspace`);
  return rule === undefined ? visible(`exactly one call of ${tool}`) : describeRule(rule);
}

/** Returns the parameters as they are given to `call`. */
function describeInput(input: JsonObject): string {
  const entries = Object.entries(input);
  if (entries.length === 0) return "without input";
  const values = entries.map(
    ([name, value]) => `${name}=${typeof value === "string" ? quoteWord(value) : JSON.stringify(value)}`,
  );
  return `with ${values.join(" ")}`;
}

function listOf(value: string | readonly string[]): string {
  return typeof value === "string" ? value : value.join(" or ");
}
