/** Common properties of team tools. Starting an agent is of low risk, because each of its calls is judged. */
export const AGENTS = {
  risk: "low",
  place: "host",
  source: "built-in",
  group: "agents",
  effects: "own-state",
} as const;

/** The maximum length of a task, a message or a result. */
export const MAX_TEXT_CHARACTERS = 20_000;
