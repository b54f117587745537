// Runs the tests that read the public cases in `../shared/data` (or TOOLWRIGHT_SHARED_DATA), and prints cases and passes of each suite. It
// downloads nothing. A miss that a test accepts, with its reason, is neither a pass nor a failure. Ends with 1 if a case
// fails, or if a test was skipped, and with 2 if the folder is absent.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { readJsonLines, sharedData, withoutSharedData } from "../test/support/files/shared-data.ts";

interface Suite {
  readonly name: string;
  /** The file or folder with its cases. */
  readonly data: string;
  readonly count: (path: string) => number;
  /** The tests that run every case. */
  readonly files: readonly string[];
}

const countLines = (path: string): number => readJsonLines(path).length;
const countIn =
  (key: string) =>
  (path: string): number =>
    (JSON.parse(readFileSync(path, "utf8")) as Record<string, readonly unknown[]>)[key]?.length ?? 0;

const SUITES: readonly Suite[] = [
  {
    name: "calls in text",
    data: "toolcall-formats.jsonl",
    count: countLines,
    files: ["src/models/text-calls/samples.wide.test.ts"],
  },
  {
    name: "apply_patch",
    data: "apply-patch",
    count: (path) => readdirSync(path).length,
    files: ["src/tools/files/patch/patch-scenarios.test.ts"],
  },
  {
    name: "JSON Schema",
    data: "json-schema",
    count: countSchemaTests,
    files: ["src/json-schema/suite.test.ts", "src/formats/schema/full-schema.test.ts"],
  },
  {
    name: "tools of MCP servers",
    data: "mcp-tools.jsonl",
    count: countLines,
    files: [
      "src/schema/real-tools.test.ts",
      "src/formats/to-provider-tools.wide.test.ts",
      "src/sources/mcp/tools/definition.test.ts",
      "test/flows/public-tools.test.ts",
    ],
  },
  {
    name: "malformed tools of MCP servers",
    data: "mcp-tools-malformed.json",
    count: countIn("tools"),
    files: ["src/schema/real-tools.test.ts", "src/sources/mcp/tools/definition.test.ts"],
  },
  {
    name: "globs of ripgrep",
    data: "ripgrep-globset.jsonl",
    count: countLines,
    files: ["src/util/text/glob-pattern.process.wide.test.ts"],
  },
  {
    name: ".gitignore of ripgrep",
    data: "ripgrep-gitignore.jsonl",
    count: countLines,
    files: ["src/tools/files/search/gitignore.wide.test.ts"],
  },
  {
    name: "addresses that must be refused",
    data: "ssrf-urls.jsonl",
    count: countLines,
    files: ["src/system/fetch/fetcher.test.ts"],
  },
  {
    name: "policy for shell commands",
    data: "shell-policy.json",
    count: countIn("cases"),
    files: ["test/policy-cases.test.ts", "src/shell/reader.test.ts", "test/flows/border-shell.test.ts"],
  },
  {
    name: "effects of shell commands",
    data: "shell-effects.jsonl",
    count: countLines,
    files: ["test/long/recorded-commands.test.ts"],
  },
];

if (withoutSharedData !== false) {
  console.error(withoutSharedData);
  process.exit(2);
}
await import("./build.ts");
const failures = SUITES.map(runSuite).filter((isPassed) => !isPassed);
process.exit(failures.length > 0 ? 1 : 0);

/** Runs the tests of a suite and prints one line. Returns false if a test failed or was skipped. */
function runSuite({ name, data, count, files }: Suite): boolean {
  const path = sharedData(data);
  if (!existsSync(path)) {
    console.log(`${name}: no cases at ${path}`);
    return false;
  }
  const cases = count(path);
  const outputs = files.map(runFile);
  const wrong = outputs.flatMap((output) => output.match(/^ *not ok .*|^ *ok .* # SKIP.*/gm) ?? []);
  const misses = outputs
    .flatMap((output) => [...output.matchAll(/# .*\bwe miss (\d+)/g)])
    .reduce((sum, [, missed]) => sum + Number(missed), 0);
  // A test may run many cases: if it fails, how many of them pass is not known.
  const passes = wrong.length === 0 ? `${cases - misses} passes` : `not all pass:\n${wrong.join("\n")}`;
  console.log(
    `${name}: ${cases} cases, ${passes}${misses > 0 ? `, ${misses} misses that the test accepts` : ""}`,
  );
  return wrong.length === 0;
}

/** Returns the report of a test file, with a line for the file if its process failed. */
function runFile(file: string): string {
  const isLong = file.startsWith("test/long/");
  const args = [
    "--test",
    "--test-isolation=none",
    "--test-reporter=tap",
    "--import=./test/support/property-runs.ts",
  ];
  const { status, stdout } = spawnSync(process.execPath, [...args, file], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: { ...process.env, ...(isLong && { TOOLWRIGHT_LONG: "1" }) },
  });
  return status === 0 ? stdout : `${stdout}\nnot ok ${file} ended with ${status ?? "a signal"}`;
}

function countSchemaTests(path: string): number {
  const groups = globSync(`${path}/tests/*/*.json`).flatMap(
    (file) => JSON.parse(readFileSync(file, "utf8")) as readonly { readonly tests: readonly unknown[] }[],
  );
  return groups.reduce((sum, { tests }) => sum + tests.length, 0);
}
