import { opendir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";

const MAX_NAMES = 5000;
const MAX_NEAR = 3;

/** The error for a file that does not exist, with the names nearby that were probably meant. */
export async function missingFile(path: string, shown: string): Promise<ToolError> {
  const near = nearNames(basename(path), await namesIn(dirname(path)));
  const folder = dirname(shown);
  const paths = near.map((name) => (folder === "." ? name : join(folder, name)));
  return new ToolError("TOOL_FAILED", `${shown} does not exist`, {
    hint:
      paths.length > 0
        ? `did you mean ${paths.map(toTold(shown)).join(" or ")}?`
        : "use glob or ls to find it",
    details: { path, near: paths },
  });
}

/** Two names that look the same are told apart by their escapes. */
function toTold(shown: string): (path: string) => string {
  return (path) =>
    path !== shown && path.normalize() === shown.normalize()
      ? `${path} (written as ${escaped(path)}, not ${escaped(shown)})`
      : path;
}

function escaped(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      names.push(entry.name);
      if (names.length >= MAX_NAMES) break;
    }
  } catch {
    // The hint is a courtesy: a folder that cannot be read gives none.
  }
  return names;
}

function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const scored = names.map((name) => ({ name, score: distance(folded(wanted), folded(name)) }));
  return scored
    .filter(({ score }) => score <= limit)
    .sort((a, b) => a.score - b.score)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name);
}

function folded(name: string): string {
  return name.normalize().toLowerCase();
}

/** How many letters must be added, removed or changed to turn one text into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
