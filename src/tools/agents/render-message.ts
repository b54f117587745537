import type { TeamMessage } from "../../core/agent/team.ts";

/** A message as the agent reads it: who says it, of which kind it is, and the text. */
export function renderMessage({ from, type, priority, text }: TeamMessage): string {
  const urgency = priority === "normal" ? "" : `, ${priority} priority`;
  return `[${type} from ${from.name} (${from.id})${urgency}]\n${text}`;
}
