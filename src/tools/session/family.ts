import type { Skills } from "../../core/skills.ts";
import type { Tool } from "../../core/tool.ts";
import { triggerHotSwap } from "./trigger-hot-swap.ts";
import { writeMemoryDump } from "./write-memory-dump.ts";

export interface SessionToolsOptions {
  readonly skills: Skills;
  /** Where dumps are written; created with the first one. */
  readonly dumpsFolder: string;
}

/** Returns the tools for an agent's own session. They need a `Conversation` in the context. */
export function sessionTools({ skills, dumpsFolder }: SessionToolsOptions): Tool[] {
  return [triggerHotSwap(skills), writeMemoryDump(dumpsFolder)];
}
