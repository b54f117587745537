import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path/posix";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Returns the name, version and licence text of every package that the bundled files come from. */
export function thirdPartyNotices(inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((file) => packageFolder(file) ?? []));
  const notices = [...folders].sort().map(noticeOf);
  return `Toolwright's dist/ contains code of these packages.\n\n${notices.join("\n")}`;
}

/** The folder of the innermost package that a file belongs to. */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Manifest;
  const [file] = globSync(`${folder}/{LICEN[CS]E,licen[cs]e}*`).sort();
  if (file === undefined && license === undefined)
    throw new Error(`${name} has no licence that could be shipped`);
  const text = file !== undefined && existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return `${"-".repeat(80)}\n${name} ${version} (${license ?? "see below"})\n\n${text}\n`;
}
