/** Common properties of the report tools. */
export const REPORTS = {
  risk: "low",
  place: "host",
  source: "built-in",
  group: "agents",
  effects: "own-state",
} as const;
