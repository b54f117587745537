import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { runToEnd, type Check } from "./run-suite.ts";

interface Requirements {
  readonly client: readonly string[];
  readonly not_scored: readonly { readonly scenario: string; readonly leg: string }[];
}

/** Every scenario that a revision has for clients, scored or not. */
export function clientScenarios(suite: string, revision: string): readonly string[] {
  const text = readFileSync(join(suite, "requirements", `${revision}.yaml`), "utf8");
  const { client, not_scored: more } = parse(text) as Requirements;
  return [...client, ...more.filter(({ leg }) => leg === "client").map(({ scenario }) => scenario)];
}

/** Runs our client through these scenarios, a few at a time: together they would only find out how fast the machine is. */
export async function runClientScenarios(
  suite: string,
  revision: string,
  scenarios: readonly string[],
): Promise<readonly Check[]> {
  const waiting = [...scenarios];
  const checks: Check[] = [];
  const cache = mkdtempSync(join(tmpdir(), "toolwright-conformance-cache-"));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      checks.push(...(await runScenario({ suite, revision, cache }, next)));
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, work));
    return checks;
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

interface ScenarioRun {
  readonly suite: string;
  readonly revision: string;
  /** Where Node keeps what it has compiled: every scenario starts the same two programs. */
  readonly cache: string;
}

async function runScenario(
  { suite, revision, cache }: ScenarioRun,
  scenario: string,
): Promise<readonly Check[]> {
  const program = fileURLToPath(new URL("client.ts", import.meta.url));
  const command = `${process.execPath} ${program}`;
  const args = ["client", "--command", command, "--scenario", scenario, "--spec-version", revision];
  const { checks, exitCode } = await runToEnd(suite, args, {
    stderr: "ignore",
    variables: { NODE_COMPILE_CACHE: cache },
  });
  const isTold = checks.some(({ status }) => status === "FAILURE" || status === "WARNING");
  if (exitCode === 0 || isTold) return checks.map((check) => ({ ...check, scenario }));
  const errorMessage = "our client ended with an error, or not at all";
  return [...checks, { scenario, id: "client", status: "FAILURE", errorMessage }];
}
