import type { TeamMessage } from "../../core/agent/team.ts";

/** The maximum length of a task, a message or a result. */
export const MAX_TEXT_CHARACTERS = 20_000;

/** Renders a message for the receiving agent: type, sender and text. */
export function renderMessage({ from, type, priority, text }: TeamMessage): string {
  const urgency = priority === "normal" ? "" : `, ${priority} priority`;
  return `[${type} from ${from.name} (${from.id})${urgency}]\n${text}`;
}
