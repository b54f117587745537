import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import type { Tool } from "../../core/tool.ts";
import { createVulnerabilityReport } from "./create-vulnerability-report.ts";
import { finishScan } from "./finish-scan.ts";
import type { Collections } from "../../core/store/collection.ts";

/** Returns the tools that write reports of a security assessment. */
export function reportTools(given: ReportsOptions): Tool[] {
  const options = { collections: createMemoryCollections(), ...given };
  return [createVulnerabilityReport(options), finishScan(options)];
}

/** The options of the report tools. */
export interface ReportsOptions {
  /** The canonical path of the workspace, to which findings belong. */
  readonly root: string;
  /** Where findings are stored until the scan is finished; default: in memory. */
  readonly collections?: Collections;
  /** Where reports are written; default: the tools fail. */
  readonly reportsFolder?: string;
}
