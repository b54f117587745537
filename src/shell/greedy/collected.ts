import type { SimpleCommand } from "../../core/command.ts";
import type { Script } from "../programs/unwrap.ts";
import type { Known } from "./known.ts";
import type { Findings } from "./scan.ts";

/** What is found on the way through a text. */
export interface Collected {
  readonly commands: SimpleCommand[];
  readonly scripts: Script[];
  /** Why what was found may not be all; the first reason. */
  doubt?: string;
  readonly findings: Findings;
  readonly known: Known;
}

/** Notes why what was found may not be all. */
export function doubt(collected: Collected, reason: string): void {
  collected.doubt ??= reason;
}
