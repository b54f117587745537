import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { MARK, type TestReport } from "./reporter.ts";

/** Test files that run one after the other in one process. */
export interface TestGroup {
  readonly name: string;
  readonly files: readonly string[];
  /** Properties are tried with a random seed and many more examples. */
  readonly isLong?: boolean;
}

const TIMEOUT_MS = 120_000;
const LONG_TIMEOUT_MS = 1_800_000;
/** Groups load the same sources: each file is compiled once. */
const COMPILE_CACHE = resolve("node_modules/.cache/tests");
/** A group may take as long as this many tests. */
const GROUP_TIMEOUTS = 5;

/** Runs a group in a child process. Everything that is not a report is handed to `print`. Never rejects. */
export async function runGroup(
  group: TestGroup,
  print: (line: string) => void,
): Promise<readonly TestReport[]> {
  const { name, files, isLong = false } = group;
  const timeoutMs = isLong ? LONG_TIMEOUT_MS : TIMEOUT_MS;
  const args = [
    "--test",
    "--test-isolation=none",
    `--test-timeout=${timeoutMs}`,
    "--test-reporter=./scripts/test/reporter.ts",
    "--import=./test/support/property-runs.ts",
    ...files,
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    // For a group whose tests have ended and whose process has not.
    timeout: timeoutMs * GROUP_TIMEOUTS,
    killSignal: "SIGKILL",
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...(isLong && { TOOLWRIGHT_LONG: "1" }),
    },
  });
  const ended = new Promise<number | string>((settle) => {
    child.on("error", (error) => settle(error.message));
    child.on("close", (code, signal) => settle(code ?? signal ?? "unknown"));
  });
  const reports: TestReport[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const start = line.indexOf(MARK);
    if (start !== 0) print(start < 0 ? line : line.slice(0, start));
    if (start >= 0) reports.push(JSON.parse(line.slice(start + MARK.length)) as TestReport);
  }
  const end = await ended;
  const hasFailed = reports.some(({ outcome }) => outcome === "failed");
  if (end === 0 || hasFailed) return reports;
  const [only] = files.length === 1 ? files : [];
  const error = `the test process ended with ${end}: ${files.join(" ")}`;
  return [
    ...reports,
    { outcome: "failed", name, ms: 0, error, ...(only !== undefined && { file: resolve(only) }) },
  ];
}
