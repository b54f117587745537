import type { Skills } from "../../core/skills.ts";
import type { Tool } from "../../core/tool.ts";
import { checkOptions, requireOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { triggerHotSwap } from "./trigger-hot-swap.ts";
import { writeMemoryDump } from "./write-memory-dump.ts";

/** The options of `sessionTools`. */
export interface SessionToolsOptions {
  readonly skills: Skills;
  /** Where dumps are written; created with the first one. */
  readonly dumpsFolder: string;
}

const KINDS: OptionKinds<SessionToolsOptions> = { skills: "an object", dumpsFolder: "a text" };

/** Returns the tools for an agent's own session. They need a `Conversation` in the context. */
export function sessionTools(options: SessionToolsOptions): Tool[] {
  checkOptions("sessionTools", options, KINDS);
  requireOptions("sessionTools", options, ["skills", "dumpsFolder"]);
  return [triggerHotSwap(options.skills), writeMemoryDump(options.dumpsFolder)];
}
