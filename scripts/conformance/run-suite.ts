import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** One thing that the suite has looked at. */
export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** The folder of a package that is used for trying us, or undefined where it is not installed: by its name, or in the folder of such packages. */
export function findTryingPackage(name: string): string | undefined {
  const folder = process.env["TOOLWRIGHT_TEST_MCP_SERVERS"];
  const places = [import.meta.url, ...(folder === undefined ? [] : [join(folder, "package.json")])];
  for (const place of places) {
    const inNodeModules = (createRequire(place).resolve.paths(name) ?? [])
      .map((one) => join(one, name))
      .find((one) => existsSync(join(one, "package.json")));
    if (inNodeModules !== undefined) return inNodeModules;
  }
  return undefined;
}

/** Runs the official suite with these arguments and returns everything it has checked. */
export async function runSuite(
  suite: string,
  args: readonly string[],
  stderr: "inherit" | "ignore" = "inherit",
): Promise<readonly Check[]> {
  const results = mkdtempSync(join(tmpdir(), "toolwright-conformance-"));
  try {
    const child = spawn(process.execPath, [join(suite, "dist", "index.js"), ...args, "-o", results], {
      stdio: ["ignore", "ignore", stderr],
    });
    await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
    const folders = readdirSync(results, { recursive: true, encoding: "utf8" })
      .filter((path) => basename(path) === "checks.json")
      .map(dirname)
      .sort();
    return folders.flatMap((folder) => readChecks(join(results, folder), folder));
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

/** Folders are named after the side, the scenario and the time. */
function readChecks(folder: string, name: string): readonly Check[] {
  const scenario = name.replace(/^(?:server|client)-/, "").replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, "");
  const checks = JSON.parse(readFileSync(join(folder, "checks.json"), "utf8")) as readonly Omit<
    Check,
    "scenario"
  >[];
  return checks.map((check) => ({ ...check, scenario }));
}
