import type { Collections } from "../../core/store/collection.ts";

/** The options of the report tools. */
export interface ReportsOptions {
  /** The canonical path of the workspace, to which findings belong. */
  readonly root: string;
  /** Where findings are stored until the scan is finished; default: in memory. */
  readonly collections?: Collections;
  /** Where reports are written; default: the tools fail. */
  readonly reportsFolder?: string;
}
