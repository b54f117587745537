import { join } from "node:path";
import { lstatIfExists } from "../../../system/paths/paths.ts";
import { patternBelow, strayNote } from "../../../util/text/glob-pattern.ts";

/** Returns lines for an answer without files: the probable mistake in the pattern; of an include, at least that it matches no file. */
export async function patternNotes(
  folder: string,
  parameter: "include" | "pattern",
  pattern: string,
): Promise<readonly string[]> {
  const stray = strayNote(folder, pattern);
  if (stray.length > 0) return stray;
  const mistake = await mistakeIn(folder, pattern);
  if (mistake === undefined && parameter === "pattern") return [];
  const why = mistake === undefined ? "" : `: ${mistake}`;
  return [`[no file matches ${parameter}=${JSON.stringify(pattern)}${why}]`];
}

async function mistakeIn(folder: string, pattern: string): Promise<string | undefined> {
  if (pattern.startsWith("!")) return "a pattern cannot exclude files";
  if (isList(pattern)) return `alternatives need braces, such as ${JSON.stringify(`{${pattern}}`)}`;
  const name = patternBelow(folder, pattern).replace(/^\/|\/+$/g, "");
  const stats = name === "" || name.includes("\0") ? undefined : await lstatIfExists(join(folder, name));
  if (stats?.isDirectory() !== true) return undefined;
  return `it is a folder; ${JSON.stringify(`${name}/**`)} matches the files in it`;
}

/** True if there is a comma or a bar outside braces and brackets. */
function isList(pattern: string): boolean {
  return /[,|;]/.test(pattern.replaceAll(/\\.|\[[^\]]*\]|\{.*\}/gs, ""));
}
