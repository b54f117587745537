// Runs the official MCP conformance suite against our gateway and our client. Counts checks, lists each skip with its reason, and fails on
// anything else. `server` or `client` as an argument runs one side alone.
import { clientScenarios, runClientScenarios } from "./conformance/run-client.ts";
import { findTryingPackage, runSuite, type Check } from "./conformance/run-suite.ts";
import { serveForSuite } from "./conformance/serve.ts";
import { CLIENT_SKIPS, SERVER_SKIPS, extensionOf } from "./conformance/skips.ts";

const PACKAGE = "@modelcontextprotocol/conformance";
const REVISIONS = ["2025-11-25", "2026-07-28"];

const suite = findTryingPackage(PACKAGE);
if (suite === undefined) {
  console.error(
    `${PACKAGE} is not installed; set TOOLWRIGHT_TEST_MCP_SERVERS to a folder that has it in node_modules`,
  );
  process.exit(2);
}

const [side] = process.argv.slice(2);
let failures = 0;
if (side !== "client") failures += await tryServer(suite);
if (side !== "server") failures += await tryClient(suite);
process.exit(failures > 0 ? 1 : 0);

async function tryServer(folder: string): Promise<number> {
  const served = await serveForSuite();
  let wrong = 0;
  for (const revision of REVISIONS) {
    const args = ["server", "--url", served.address, "--requirements", revision];
    wrong += report(`server, ${revision}`, await runSuite(folder, args), new Map());
  }
  await served.close();
  return wrong;
}

async function tryClient(folder: string): Promise<number> {
  let wrong = 0;
  for (const revision of REVISIONS) {
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
  // A client is also told what it should do; the suite calls that a warning, and counts it.
  const failed = checks.filter(
    ({ status }) => status === "FAILURE" || (status === "WARNING" && isClient(title)),
  );
  const wrong = failed.filter((check) => {
    const reason = isClient(title) ? undefined : reasonFor(check);
    if (reason !== undefined) skipped.set(check.scenario, reason);
    return reason === undefined;
  });
  const skips = isClient(title) ? skipped.size : failed.length - wrong.length;
  console.log(`${title}: ${passed.length} checks passed, ${wrong.length} failed, ${skips} skipped`);
  for (const [scenario, reason] of skipped) console.log(`  skipped ${scenario}: ${reason}`);
  for (const { scenario, id, errorMessage } of wrong)
    console.log(`  FAILED ${scenario}/${id}: ${errorMessage}`);
  if (checks.length === 0) console.log("  FAILED: the suite has checked nothing");
  return checks.length === 0 ? 1 : wrong.length;
}

function isClient(title: string): boolean {
  return title.startsWith("client");
}

function reasonFor({ scenario, id }: Check): string | undefined {
  return SERVER_SKIPS[`${scenario}/${id}`] ?? SERVER_SKIPS[scenario] ?? extensionOf(scenario);
}
