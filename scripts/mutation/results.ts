import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { SURVIVORS } from "./survivors.ts";
import { findReason, reasonFor } from "./equivalent.ts";

/** What the last run of a file found. */
export interface Result {
  /** Of the code that was mutated. */
  readonly hash: string;
  readonly noticed: number;
  readonly equivalent: number;
  /** The mutants that no test noticed and that are not equivalent. */
  readonly open: readonly OpenMutant[];
}

type OpenMutant = readonly [line: number, code: string, replacement: string];

/** In the repository, so that the page is whole wherever it is written. */
const STORED = "scripts/mutation/results.json";

/** Returns the hash by which a result says which code it is about. */
export function hashOf(source: string): string {
  return createHash("sha256").update(source).digest("hex").slice(0, 12);
}

/** Stores the result of a file, in place of its last one. */
export function storeResult(file: string, result: Result): void {
  const all = { ...readResults(), [file]: result };
  const sorted = Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)));
  // Several runs may be under way.
  const next = `${STORED}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(sorted, null, 1)}\n`);
  renameSync(next, STORED);
}

/** Returns the last result of each file. */
export function readResults(): Readonly<Record<string, Result>> {
  return JSON.parse(readFileSync(STORED, "utf8")) as Record<string, Result>;
}

/** Returns a result without the mutants that have been listed as equivalent since. */
function withoutListed(file: string, result: Result): Result {
  const open = result.open.filter(
    ([, code, replacement]) => reasonFor(file, code, replacement) === undefined,
  );
  return { ...result, open, equivalent: result.equivalent + result.open.length - open.length };
}

/** Returns the page about all deciding files. Those without a result, and those that changed since theirs, are named. */
export function summaryPage(files: readonly string[]): string {
  const results = readResults();
  const known = files.flatMap((file) => {
    const result = results[file];
    return result === undefined ? [] : [{ file, ...withoutListed(file, result) }];
  });
  const noticed = sumOf(known, (one) => one.noticed);
  const all = sumOf(known, (one) => one.noticed + one.open.length);
  const missing = files.filter((file) => results[file] === undefined);
  const changed = known.filter(({ file, hash }) => hash !== hashOf(readFileSync(file, "utf8")));
  const rows = known.map(
    (one) =>
      `| \`${one.file}\` | ${one.noticed} | ${one.noticed + one.open.length} | ${one.equivalent} | ${percentOf(one.noticed, one.noticed + one.open.length)} |`,
  );
  const open = known.flatMap(({ file, open: mutants }) =>
    mutants.map(([line, code, replacement]) => {
      const reason = findReason(SURVIVORS, file, code, replacement) ?? "not looked at";
      return `| \`${file}:${line}\` | ${cell(code)} | ${cell(replacement)} | ${reason} |`;
    }),
  );
  return [
    "# Mutants of the deciding code",
    "",
    "Written by `npm run mutate -- --list` from the last run of each file, which is in `scripts/mutation/results.json`. Equivalent mutants change no decision and are not counted; they are listed with their reasons in `scripts/mutation/equivalent-mutants/`. A mutant is noticed if a test fails within the CPU time of the run, so these counts are lower bounds.",
    "",
    `**${noticed} of ${all} mutants are noticed: ${percentOf(noticed, all)}.**`,
    ...listOf("Not mutated", missing),
    ...listOf(
      "Changed since the run that their row shows",
      changed.map(({ file }) => file),
    ),
    "",
    "| file | noticed | of | equivalent | |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    "## Not noticed",
    "",
    "| place | code | becomes | why no test fails |",
    "|---|---|---|---|",
    ...open,
    "",
  ].join("\n");
}

function listOf(heading: string, files: readonly string[]): readonly string[] {
  return files.length === 0 ? [] : ["", `${heading}: ${files.join(", ")}.`];
}

function sumOf<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((sum, one) => sum + of(one), 0);
}

function percentOf(count: number, all: number): string {
  return all === 0 ? "–" : `${((100 * count) / all).toFixed(1)} %`;
}

const MAX_CODE = 90;

function cell(code: string): string {
  const flat = code.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  const text = flat.length > MAX_CODE ? `${flat.slice(0, MAX_CODE)}…` : flat;
  return text === "" ? "nothing" : text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}
