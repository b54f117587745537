import type { Tool } from "../../core/tool.ts";
import { createFileOperations } from "../../system/files/operations.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { createMasker } from "../../secrets/mask.ts";
import { checkRootedOptions } from "../shared/check-tool-options.ts";
import { CREATE_VULNERABILITY_REPORT, createVulnerabilityReport } from "./create-vulnerability-report.ts";
import { FINISH_SCAN, finishScan } from "./finish-scan.ts";
import type { ReportsOptions } from "./options.ts";

/** Returns the tools that write reports of a security assessment. */
export function reportTools(given: ReportsOptions): Tool[] {
  checkRootedOptions("reportTools", given);
  const defaults = { collections: createMemoryCollections(), mask: createMasker().text };
  const operations = createFileOperations(given.changesFolder);
  const options = { ...defaults, ...given, operations, traffic: given };
  return [createVulnerabilityReport(options), finishScan(options)];
}

/** The tools of this family by name, for `builtIn`. */
export const REPORTS_NAMED = {
  createVulnerabilityReport: CREATE_VULNERABILITY_REPORT,
  finishScan: FINISH_SCAN,
};
