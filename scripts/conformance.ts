// Runs the official MCP conformance suite against our gateway and our client. Counts checks, lists each skip with its reason, and fails on
// anything else. `server`, `client` or `path` as an argument runs one part alone; `path` is the suite's reference server behind our gateway.
// A revision of the protocol as a second argument runs that alone.
import { clientScenarios, runClientScenarios } from "./conformance/run-client.ts";
import { findTryingPackage, runSuite, type Check } from "./conformance/run-suite.ts";
import { startProxy } from "./conformance/proxy.ts";
import { startRealPath } from "./conformance/real-path.ts";
import { serveForSuite } from "./conformance/serve.ts";
import { CLIENT_SKIPS, SERVER_SKIPS, extensionOf } from "./conformance/skips.ts";

const PACKAGE = "@modelcontextprotocol/conformance";

const suite = findTryingPackage(PACKAGE);
if (suite === undefined) {
  console.error(
    `${PACKAGE} is not installed; set TOOLWRIGHT_TEST_MCP_SERVERS to a folder that has it in node_modules`,
  );
  process.exit(2);
}

const [only, revision] = process.argv.slice(2);
const revisions = ["2025-11-25", "2026-07-28"].filter((one) => revision === undefined || one === revision);
let failures = 0;
for (const [part, run] of Object.entries({ server: tryServer, path: tryPath, client: tryClient }))
  if (only === undefined || only === part) failures += await run(suite);
process.exit(failures > 0 ? 1 : 0);

async function tryServer(folder: string): Promise<number> {
  const served = await serveForSuite();
  const proxy = await startProxy(served.address, { question: "user_name" });
  let wrong = 0;
  for (const revision of revisions)
    wrong += report(`server, ${revision}`, await checkServer(folder, proxy.address, revision), new Map());
  await proxy.close();
  await served.close();
  return wrong;
}

function checkServer(folder: string, address: string, revision: string): Promise<readonly Check[]> {
  return runSuite(folder, ["server", "--url", address, "--requirements", revision]);
}

/** Runs the suite against its reference server, and against our gateway with that server behind it. What the first passes the second must. */
async function tryPath(folder: string): Promise<number> {
  const source = process.env["TOOLWRIGHT_EVERYTHING_SERVER"];
  if (source === undefined) {
    const file = "examples/servers/typescript/everything-server.ts of modelcontextprotocol/conformance";
    console.log(`path: not run; set TOOLWRIGHT_EVERYTHING_SERVER to ${file}`);
    return 0;
  }
  const path = await startRealPath(source);
  let wrong = 0;
  // With a handshake: the reference server's part for the newest revision is not complete.
  for (const revision of revisions.slice(0, 1)) {
    const reference = await checkServer(folder, path.reference, revision);
    const behind = await checkServer(folder, path.gateway, revision);
    console.log(`path, ${revision}: reference server alone: ${countsOf(reference)}`);
    const failing = new Set(reference.filter(({ status }) => status === "FAILURE").map(keyOf));
    const known = behind.filter((check) => check.status === "FAILURE" && failing.has(keyOf(check)));
    const reasons = known.map(({ scenario }) => [scenario, "the reference server fails it too"] as const);
    wrong += report(
      `path, ${revision}`,
      behind.filter((check) => !known.includes(check)),
      new Map(reasons),
    );
  }
  await path.close();
  return wrong;
}

function keyOf({ scenario, id }: Check): string {
  return `${scenario}/${id}`;
}

function countsOf(checks: readonly Check[]): string {
  const count = (status: Check["status"]): number => checks.filter((check) => check.status === status).length;
  const [passed, failed, warned] = [count("SUCCESS"), count("FAILURE"), count("WARNING")];
  return `${passed} checks passed, ${failed} failed, ${warned} warnings, ${count("SKIPPED")} skipped by the suite`;
}

async function tryClient(folder: string): Promise<number> {
  let wrong = 0;
  for (const revision of revisions) {
    const all = clientScenarios(folder, revision);
    const applying = all.filter((one) => CLIENT_SKIPS[one] === undefined);
    const skipped = all.flatMap((one) =>
      CLIENT_SKIPS[one] === undefined ? [] : [[one, CLIENT_SKIPS[one]] as const],
    );
    const checks = await runClientScenarios(folder, revision, applying);
    wrong += report(`client, ${revision}`, checks, new Map(skipped));
  }
  return wrong;
}

/** Prints the results and returns the number of failures; `skipped` lists the scenarios that were not run. */
function report(title: string, checks: readonly Check[], skipped: Map<string, string>): number {
  const passed = checks.filter(({ status }) => status === "SUCCESS");
  const remarks = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const left = remarks.filter((check) => {
    const reason = title.startsWith("server") ? reasonFor(check) : undefined;
    if (reason !== undefined) skipped.set(check.scenario, reason);
    return reason === undefined;
  });
  // A client is also told what it should do; the suite calls that a warning, and counts it.
  const wrong = left.filter(({ status }) => status === "FAILURE" || isClient(title));
  const warned = left.filter(({ status }) => status === "WARNING");
  const skips = isClient(title) ? skipped.size : remarks.length - left.length;
  const leftOut = checks.filter(({ status }) => status === "SKIPPED").length;
  const counts = `${passed.length} checks passed, ${wrong.length} failed, ${skips} skipped`;
  console.log(`${title}: ${counts}; ${warned.length} warnings, ${leftOut} skipped by the suite`);
  for (const [scenario, reason] of skipped) console.log(`  skipped ${scenario}: ${reason}`);
  for (const { scenario, id, errorMessage } of wrong)
    console.log(`  FAILED ${scenario}/${id}: ${errorMessage}`);
  for (const { scenario, id, errorMessage } of warned)
    console.log(`  warning ${scenario}/${id}: ${errorMessage}`);
  if (checks.length === 0) console.log("  FAILED: the suite has checked nothing");
  return checks.length === 0 ? 1 : wrong.length;
}

function isClient(title: string): boolean {
  return title.startsWith("client");
}

function reasonFor({ scenario, id }: Check): string | undefined {
  return SERVER_SKIPS[`${scenario}/${id}`] ?? SERVER_SKIPS[scenario] ?? extensionOf(scenario);
}
