import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import type { Tool } from "../../core/tool.ts";
import { createVulnerabilityReport } from "./create-vulnerability-report.ts";
import { finishScan } from "./finish-scan.ts";
import type { ReportsOptions } from "./options.ts";

/** Returns the tools that write reports of a security assessment. */
export function reportTools(given: ReportsOptions): Tool[] {
  const options = { collections: createMemoryCollections(), ...given };
  return [createVulnerabilityReport(options), finishScan(options)];
}
