import type { Collections } from "../../core/store/collection.ts";
import type { FileOperations } from "../../system/files/operations.ts";
import type { TrafficOptions } from "../proxy/traffic/traffic.ts";
import type { WorkspaceOptions } from "../shared/collections.ts";

/** The options of the report tools. */
export interface ReportsOptions {
  /** The canonical path of the workspace, to which findings belong. */
  readonly root: string;
  /** Where findings are stored until the scan is finished; default: in memory. */
  readonly collections?: Collections;
  /** Where reports are written; default: the tools fail. */
  readonly reportsFolder?: string;
  /** Where unfinished changes are recorded, and files are locked for other processes; default: only writes of these tools wait for each other. */
  readonly changesFolder?: string;
  /** Masks secrets in reports; default: only what looks like a token. */
  readonly mask?: (text: string, name?: string) => string;
}

/** What the tools are given. */
export interface ReportTools extends WorkspaceOptions {
  readonly reportsFolder?: string;
  readonly operations: FileOperations;
  readonly mask: (text: string, name?: string) => string;
  /** Where the traffic of the session is, as the proxy tools have it. */
  readonly traffic: TrafficOptions;
}
