import type { Grant } from "../../../core/grant.ts";
import type { Rule } from "../../../core/rule.ts";
import { visible } from "../../../util/text/visible.ts";
import { quoteWord } from "./describe-fact.ts";

/** Returns every condition of a rule for people: `shell, exactly the command git push`. */
export function describeRule(rule: Omit<Rule, "decision">): string {
  const { tool, exact = false, command, input, domain, path, access, ...rest } = rule;
  const use = { read: "reading", write: "writing" } as const;
  const exactly = (what: string): string => (exact ? `exactly the ${what}` : what);
  const parts = [
    ...(tool === undefined ? [] : [listOf(tool)]),
    ...(command === undefined ? [] : [exactly(`command ${command.map(quoteWord).join(" ")}`)]),
    ...(input === undefined ? [] : [exactly(`input ${JSON.stringify(input)}`)]),
    ...(domain === undefined ? [] : [`host ${listOf(domain)}`]),
    ...(path === undefined ? [] : [`${access === undefined ? "path" : use[access]} ${listOf(path)}`]),
    ...(["source", "group", "folder"] as const).flatMap((name) =>
      rest[name] === undefined ? [] : [`${name} ${listOf(rest[name])}`],
    ),
  ];
  return visible(parts.length === 0 ? "every call" : parts.join(", "));
}

/** Returns what a saved approval allows. */
export function describeGrant({ rule, tool, adds }: Pick<Grant, "rule" | "tool" | "adds">): string {
  if (adds !== undefined) return visible(`${adds} is part of the workspace`);
  return rule === undefined ? visible(`exactly one call of ${tool}`) : describeRule(rule);
}

function listOf(value: string | readonly string[]): string {
  return typeof value === "string" ? value : value.join(" or ");
}
