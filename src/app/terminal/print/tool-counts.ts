/** Returns how many tools there are: in every program first all that are known, then those that are active, and for whom. */
export function toolCounts(known: number, active: number, whose: string): string {
  return `${known} known: ${active} active for ${whose}, ${known - active} off`;
}

/** Of the programs that give every active tool. */
export const COUNTED_FOR = "call and MCP clients";
