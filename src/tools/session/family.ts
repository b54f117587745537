import type { Skills } from "../../core/skills.ts";
import type { Tool } from "../../core/tool.ts";
import { triggerHotSwap } from "./trigger-hot-swap.ts";
import { writeMemoryDump } from "./write-memory-dump.ts";

export interface SessionToolsOptions {
  readonly skills: Skills;
  /** Where dumps are written; made when the first one is. */
  readonly dumpsFolder: string;
}

/** The tools about an agent's own session. They need a `Conversation` in the context, so an agent adds them when it has one. */
export function sessionTools({ skills, dumpsFolder }: SessionToolsOptions): Tool[] {
  return [triggerHotSwap(skills), writeMemoryDump(dumpsFolder)];
}
