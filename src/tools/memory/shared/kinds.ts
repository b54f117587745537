/** Common properties of tools that store the agent's own state. */
export const OWN_STATE = {
  risk: "low",
  place: "host",
  source: "built-in",
  group: "memory",
  effects: "own-state",
} as const;
