// Runs the tests: installs what they need, builds, and prints a summary. Arguments: --quick, --long, or the files and folders to run.
import { execFileSync } from "node:child_process";
import { relative } from "node:path";
import { allGroups, fileGroups, groupsAt, longGroups, quickGroups } from "./test/groups.ts";
import type { TestReport } from "./test/reporter.ts";
import { runGroup, type TestGroup } from "./test/run-group.ts";
import { installSystemPackages } from "./system-packages.ts";

const SLOWEST = 10;
/** Twice the cores of a small machine: much of what tests do is waiting for other processes. */
const WORKERS = 4;

const args = process.argv.slice(2);
const isQuick = args.includes("--quick");
if (!isQuick) installSystemPackages();
await import("./build.ts");

/** Of more failed files than these, none is run again: then it is not the load of the machine. */
const RUN_AGAIN = 4;

let reports: TestReport[] = [];
const unsteady: TestReport[] = [];
const waiting = [...groupsOf(args)];
const filesBefore = new Set(changedInCheckout());
await Promise.all(Array.from({ length: WORKERS }, worker));
if (args.length === 0) await runFailedAgain();
printSummary();

function groupsOf(words: readonly string[]): readonly TestGroup[] {
  const paths = words.filter((word) => !word.startsWith("--"));
  const isLong = words.includes("--long");
  if (paths.length > 0) return groupsAt(paths).map((group) => ({ ...group, isLong }));
  if (isQuick) return quickGroups();
  return isLong ? longGroups() : allGroups();
}

async function worker(): Promise<void> {
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    const startedAt = performance.now();
    const groupReports = await runGroup(group, console.log);
    reports.push(...groupReports);
    for (const report of groupReports.filter(({ outcome }) => outcome === "failed")) printFailure(report);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${group.name}: ${counts(groupReports)} (${seconds} s)`);
  }
}

/** Returns the files of the checkout that git does not ignore and has not stored as they are; none outside a checkout. */
function changedInCheckout(): readonly string[] {
  try {
    const args = ["status", "--porcelain", "--untracked-files=all"];
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split("\n");
  } catch {
    return [];
  }
}

/** Returns the files that changed in the checkout while the tests ran: tests write only to folders of their own. */
function filesLeft(): readonly string[] {
  return changedInCheckout().filter((line) => line !== "" && !filesBefore.has(line));
}

/** Runs each file with a failure once more, alone. What passes then is reported as unsteady, with its first failure above. */
async function runFailedAgain(): Promise<void> {
  const failed = reports.filter(({ outcome }) => outcome === "failed");
  const files = new Set(failed.map(({ file }) => file));
  if (files.size > RUN_AGAIN) return;
  for (const file of files) {
    if (file === undefined) continue;
    console.log(`\nonce more, alone: ${relative("", file)}`);
    const [group] = fileGroups([relative("", file)]);
    const groupReports = group === undefined ? [] : await runGroup(group, console.log);
    if (groupReports.length === 0 || groupReports.some(({ outcome }) => outcome === "failed")) continue;
    reports = [...reports.filter((report) => report.file !== file), ...groupReports];
    unsteady.push(...failed.filter((report) => report.file === file));
  }
}

function printFailure({ name, file, line, error }: TestReport): void {
  const place = file === undefined ? "" : `${relative("", file)}${line === undefined ? "" : `:${line}`}`;
  console.log(`\nFAILED ${place}\n  ${name}\n${(error ?? "").replaceAll(/^/gm, "  ")}\n`);
}

function printSummary(): void {
  const byFile = new Map<string, number>();
  for (const { file, ms } of reports) {
    if (file !== undefined) byFile.set(file, (byFile.get(file) ?? 0) + ms);
  }
  const slowest = [...byFile].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
  console.log("\nSlowest files:");
  for (const [file, ms] of slowest)
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${relative("", file)}`);
  const failed = reports.filter(({ outcome }) => outcome === "failed");
  printNames("Failed:", failed);
  printNames("Unsteady, failed beside other tests and passed alone. Find the cause:", unsteady);
  const left = filesLeft();
  if (left.length > 0) console.log(`\nChanged in the checkout while the tests ran:\n${left.join("\n")}`);
  console.log(`\n${counts(reports)}`);
  // Beside a person's own work, a change of the checkout proves nothing.
  const hasLeft = process.env["CI"] !== undefined && left.length > 0;
  if (failed.length > 0 || reports.length === 0 || hasLeft) process.exit(1);
}

function printNames(title: string, of: readonly TestReport[]): void {
  if (of.length > 0) console.log(`\n${title}`);
  for (const { file, name } of of) console.log(`  ${file === undefined ? "" : relative("", file)}: ${name}`);
}

function counts(of: readonly TestReport[]): string {
  const count = (outcome: TestReport["outcome"]): number =>
    of.filter((one) => one.outcome === outcome).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
}
