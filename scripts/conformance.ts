// Runs the official MCP conformance suite against our gateway. Counts checks, lists each skip with its reason, and fails on anything else.
import type { Check } from "./conformance/run-suite.ts";
import { findTryingPackage, runSuite } from "./conformance/run-suite.ts";
import { serveForSuite } from "./conformance/serve.ts";
import { SERVER_SKIPS, extensionOf } from "./conformance/skips.ts";

const PACKAGE = "@modelcontextprotocol/conformance";
const REVISIONS = ["2025-11-25", "2026-07-28"];

const suite = findTryingPackage(PACKAGE);
if (suite === undefined) {
  console.error(
    `${PACKAGE} is not installed; set TOOLWRIGHT_TEST_MCP_SERVERS to a folder that has it in node_modules`,
  );
  process.exit(2);
}

let failures = 0;
const served = await serveForSuite();
for (const revision of REVISIONS)
  failures += report(
    `server, ${revision}`,
    await runSuite(suite, ["server", "--url", served.address, "--requirements", revision]),
  );
await served.close();
process.exit(failures > 0 ? 1 : 0);

function report(title: string, checks: readonly Check[]): number {
  const passed = checks.filter(({ status }) => status === "SUCCESS");
  const failed = checks.filter(({ status }) => status === "FAILURE");
  const skipped = new Map<string, string>();
  const wrong = failed.filter((check) => {
    const reason = reasonFor(check);
    if (reason !== undefined) skipped.set(check.scenario, reason);
    return reason === undefined;
  });
  console.log(
    `${title}: ${passed.length} checks passed, ${wrong.length} failed, ${failed.length - wrong.length} skipped`,
  );
  for (const [scenario, reason] of skipped) console.log(`  skipped ${scenario}: ${reason}`);
  for (const { scenario, id, errorMessage } of wrong)
    console.log(`  FAILED ${scenario}/${id}: ${errorMessage}`);
  if (checks.length === 0) console.log("  FAILED: the suite has checked nothing");
  return checks.length === 0 ? 1 : wrong.length;
}

function reasonFor({ scenario, id }: Check): string | undefined {
  return SERVER_SKIPS[`${scenario}/${id}`] ?? SERVER_SKIPS[scenario] ?? extensionOf(scenario);
}
