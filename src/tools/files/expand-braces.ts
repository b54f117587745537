import { ToolError } from "../../core/errors.ts";

const MAX_ALTERNATIVES = 1000;

/** The patterns that one with `{a,b}` stands for; braces may be nested, and are plain text inside `[…]`. */
export function expandBraces(pattern: string): readonly string[] {
  const group = firstGroup(pattern);
  if (group === undefined) return [pattern];
  const { start, end, commas } = group;
  const borders = [start, ...commas, end];
  const choices = borders.slice(1).map((border, index) => pattern.slice((borders[index] ?? 0) + 1, border));
  const expanded = choices.flatMap((choice) =>
    expandBraces(pattern.slice(0, start) + choice + pattern.slice(end + 1)),
  );
  if (expanded.length > MAX_ALTERNATIVES) {
    throw new ToolError("INVALID_INPUT", `the pattern stands for more than ${MAX_ALTERNATIVES} patterns`);
  }
  return expanded;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly commas: readonly number[];
}

function firstGroup(pattern: string): Group | undefined {
  let start = -1;
  let depth = 0;
  const commas: number[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") at += 1;
    else if (character === "[") at = Math.max(at, pattern.indexOf("]", at + 2));
    else if (character === "{") {
      if (depth === 0) start = at;
      depth += 1;
    } else if (character === "," && depth === 1) commas.push(at);
    else if (character === "}") {
      depth -= 1;
      if (depth < 0) throw unbalanced(pattern);
      if (depth === 0) return { start, end: at, commas };
    }
  }
  if (depth > 0) throw unbalanced(pattern);
  return undefined;
}

function unbalanced(pattern: string): ToolError {
  return new ToolError(
    "INVALID_INPUT",
    `the pattern ${JSON.stringify(pattern)} has a brace without its other half`,
    {
      hint: "put a backslash before a brace that is meant as it is",
    },
  );
}
