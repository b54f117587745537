/** What the tools that write reports have in common. */
export const REPORTS = {
  risk: "low",
  place: "host",
  source: "built-in",
  group: "agents",
  effects: "own-state",
} as const;
