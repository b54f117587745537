/** What all tools that keep the agent's own state have in common. */
export const OWN_STATE = {
  risk: "low",
  place: "host",
  source: "built-in",
  group: "memory",
  effects: "own-state",
} as const;
