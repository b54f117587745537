/** Returns how many tools there are, and for whom: an agent has some that only agents have. */
export function toolCounts(known: number, active: number, whose: string): string {
  return `for ${whose}: ${active} active, ${known - active} off`;
}

/** Of the programs that give every active tool. */
export const COUNTED_FOR = "call and MCP clients";
