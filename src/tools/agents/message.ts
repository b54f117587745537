import { string } from "../../schema/define/schema.ts";
import type { TeamMessage } from "../../core/agent/team.ts";

/** Returns the schema of a task, a message or a result. */
export const longText = (description: string) => string(description, { min: 1, max: 20_000 });

/** Renders a message for the receiving agent: type, sender and text. */
export function renderMessage({ from, type, priority, text }: TeamMessage): string {
  const urgency = priority === "normal" ? "" : `, ${priority} priority`;
  return `[${type} from ${from.name} (${from.id})${urgency}]\n${text}`;
}
