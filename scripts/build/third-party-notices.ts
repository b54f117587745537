import { globSync, readFileSync } from "node:fs";
import { join } from "node:path/posix";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Returns name, version and licence of every package that the bundled files come from; packages with the same text share it. */
export function thirdPartyNotices(inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((file) => packageFolder(file) ?? []));
  const byText = Map.groupBy([...folders].sort(), licenceOf);
  const notices = [...byText].map(([text, found]) => `${found.map(titleOf).join("\n")}\n\n${text}\n`);
  return `Toolwright's dist/ contains code of these packages.\n\n${notices.join(`\n${"-".repeat(80)}\n`)}`;
}

/** The folder of the innermost package that a file belongs to. */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function titleOf(folder: string): string {
  const { name, version, license } = readManifest(folder);
  return `${name} ${version} (${license ?? "see below"})`;
}

function licenceOf(folder: string): string {
  const { name, license } = readManifest(folder);
  const [file] = globSync(`${folder}/{LICEN[CS]E,licen[cs]e}*`).sort();
  if (file === undefined && license === undefined)
    throw new Error(`${name} has no licence that could be shipped`);
  return file === undefined ? `Licence: ${license ?? ""}` : readFileSync(file, "utf8").trim();
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}
