import type { Collections } from "../../core/store/collection.ts";

/** What the tools of the family need. */
export interface ReportsOptions {
  /** The canonical folder that names the workspace: findings belong to it. */
  readonly root: string;
  /** Where findings are kept until the scan is finished; left out: in memory, for as long as the tools live. */
  readonly collections?: Collections;
  /** Where reports are written; left out: they refuse. */
  readonly reportsFolder?: string;
}
