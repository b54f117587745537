import { builtIn, AGENTS } from "../shared/built-in-tool.ts";
import { Reply } from "../../core/content.ts";
import { CurrentAgent } from "../../core/context.ts";
import { object, oneOf, optional, string } from "../../schema/define/schema.ts";
import { MESSAGE_TYPES, PRIORITIES, TeamKey } from "../../core/agent/team.ts";
import type { Tool } from "../../core/tool.ts";
import { longText } from "./message.ts";

const input = object({
  target_agent_id: string("The receiver; view_agent_graph lists the ids", { min: 1 }),
  message: longText("The text of the message"),
  message_type: optional(oneOf(MESSAGE_TYPES, "A question, an instruction, or information"), "information"),
  priority: optional(oneOf(PRIORITIES, "The most urgent are read first"), "normal"),
});

/** Sends a message to another agent of the team. */
export function sendMessageToAgent(): Tool {
  return builtIn({
    name: "send_message_to_agent",
    description:
      "Sends a message to another agent of the team. It reads it before its next step; an idle agent starts to work " +
      "again. An answer arrives as a message.",
    input,
    ...AGENTS,
    needs: [TeamKey, CurrentAgent],
    attributes: ({ target_agent_id: to, message_type: type, priority }) => ({ to, type, priority }),
    async run({ target_agent_id: to, message: text, message_type: type, priority }, context) {
      const from = context.get(CurrentAgent);
      const { id } = await context.get(TeamKey).send({ from, to, type, priority, text });
      return new Reply(`${id} was sent to ${to}`, { data: { message_id: id, target_agent_id: to } });
    },
  });
}
