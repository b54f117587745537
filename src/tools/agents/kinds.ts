/** What the tools of a team have in common. What an agent does is judged call by call, so to start one is of low risk. */
export const AGENTS = {
  risk: "low",
  place: "host",
  source: "built-in",
  group: "agents",
  effects: "own-state",
} as const;

/** Characters of a task, a message or a result. */
export const MAX_TEXT_CHARACTERS = 20_000;
