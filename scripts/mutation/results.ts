import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SURVIVORS } from "./survivors.ts";
import { findReason, reasonFor } from "./equivalent.ts";

/** What the last run of a file found. */
export interface Result {
  readonly file: string;
  /** The code that was mutated. */
  readonly source: string;
  readonly noticed: number;
  readonly equivalent: number;
  /** The mutants that no test noticed and that are not equivalent. */
  readonly open: readonly OpenMutant[];
}

interface OpenMutant {
  readonly line: number;
  readonly code: string;
  readonly replacement: string;
}

/** Stores the result of a file in the cache folder, in place of its last one. */
export function storeResult(folder: string, result: Result): void {
  mkdirSync(join(folder, "results"), { recursive: true });
  writeFileSync(pathOf(folder, result.file), JSON.stringify(result));
}

/** Returns the result of a file; undefined if it was not mutated since it was changed. */
export function readResult(folder: string, file: string): Result | undefined {
  const path = pathOf(folder, file);
  if (!existsSync(path)) return undefined;
  const result = JSON.parse(readFileSync(path, "utf8")) as Result;
  if (result.source !== readFileSync(file, "utf8")) return undefined;
  // Others may have been listed since.
  const open = result.open.filter(
    ({ code, replacement }) => reasonFor(file, code, replacement) === undefined,
  );
  return { ...result, open, equivalent: result.equivalent + result.open.length - open.length };
}

function pathOf(folder: string, file: string): string {
  return join(folder, "results", `${createHash("sha256").update(file).digest("hex").slice(0, 16)}.json`);
}

/** Returns the page about all deciding files; a file without a result is named. */
export function summaryPage(results: readonly (Result | string)[]): string {
  const known = results.filter((one) => typeof one !== "string");
  const noticed = sumOf(known, (one) => one.noticed);
  const all = sumOf(known, (one) => one.noticed + one.open.length);
  const missing = results.filter((one) => typeof one === "string");
  const rows = known.map(
    (one) =>
      `| \`${one.file}\` | ${one.noticed} | ${one.noticed + one.open.length} | ${one.equivalent} | ${percentOf(one.noticed, one.noticed + one.open.length)} |`,
  );
  const open = known.flatMap(({ file, open: mutants }) =>
    mutants.map(({ line, code, replacement }) => {
      const reason = findReason(SURVIVORS, file, code, replacement) ?? "not looked at";
      return `| \`${file}:${line}\` | ${cell(code)} | ${cell(replacement)} | ${reason} |`;
    }),
  );
  return [
    "# Mutants of the deciding code",
    "",
    "Written by `npm run mutate -- --list` from the last run of each file. Equivalent mutants change no decision and are not counted; they are listed with their reasons in `scripts/mutation/equivalent-mutants/`. A mutant is noticed if a test fails within the CPU time of the run, so these counts are lower bounds.",
    "",
    `**${noticed} of ${all} mutants are noticed: ${percentOf(noticed, all)}.**`,
    ...(missing.length === 0 ? [] : ["", `Not mutated since their last change: ${missing.join(", ")}.`]),
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
