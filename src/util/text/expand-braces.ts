import { ToolError } from "../../core/errors.ts";

const MAX_ALTERNATIVES = 1000;

/**
 * Expands `{a,b}` into patterns; braces may be nested, and are plain text in `[…]` and after a backslash.
 * Throws `INVALID_INPUT`, with a message about "it", on an unmatched brace and on too many patterns.
 */
export function expandBraces(pattern: string, max = MAX_ALTERNATIVES): readonly string[] {
  const expanded = tryExpandBraces(pattern, max);
  if (expanded === "unmatched")
    throw new ToolError("INVALID_INPUT", "it has an unmatched brace", {
      hint: "escape a literal brace with a backslash",
    });
  if (expanded === "too many")
    throw new ToolError("INVALID_INPUT", `it expands to more than ${max} patterns`);
  return expanded;
}

/** Expands `{a,b}` as `expandBraces` does, or returns why it cannot. */
export function tryExpandBraces(pattern: string, max: number): readonly string[] | "unmatched" | "too many" {
  const group = firstGroup(pattern);
  if (group === undefined) return [pattern];
  if (group === "unmatched") return group;
  const [before, after] = [pattern.slice(0, group.start), pattern.slice(group.end + 1)];
  const expanded: string[] = [];
  for (const choice of group.choices) {
    const more = tryExpandBraces(before + choice + after, max);
    if (typeof more === "string") return more;
    expanded.push(...more);
    if (expanded.length > max) return "too many";
  }
  return expanded;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly string[];
}

function firstGroup(pattern: string): Group | "unmatched" | undefined {
  const choices: string[] = [];
  let [start, depth, from] = [-1, 0, 0];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") at += 1;
    else if (character === "[") at = Math.max(at, pattern.indexOf("]", at + 2));
    else if (character === "{") {
      if (depth === 0) [start, from] = [at, at + 1];
      depth += 1;
    } else if (depth === 1 && (character === "," || character === "}")) {
      choices.push(pattern.slice(from, at));
      from = at + 1;
      if (character === "}") return { start, end: at, choices };
    } else if (character === "}") {
      if (depth === 0) return "unmatched";
      depth -= 1;
    }
  }
  return depth > 0 ? "unmatched" : undefined;
}
