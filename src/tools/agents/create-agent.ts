import { builtIn, AGENTS } from "../shared/built-in-tool.ts";
import { Reply } from "../../core/content.ts";
import { CurrentAgent } from "../../core/context.ts";
import { boolean, list, object, optional, string } from "../../schema/define/schema.ts";
import { TeamKey } from "../../core/agent/team.ts";
import type { Tool } from "../../core/tool.ts";
import { longText } from "./message.ts";

const MAX_NAME_CHARACTERS = 64;
const MAX_SKILLS = 10;
/** For opening a conversation and reading skills; the call does not wait for the work. */
const TIMEOUT_MS = 60_000;

const input = object({
  name: string("The name of the agent; its id is in the answer", { min: 1, max: MAX_NAME_CHARACTERS }),
  task: longText("What to do and what to report"),
  inherit_context: optional(boolean("Gives it a shortened copy of this conversation"), true),
  skills: optional(
    list(string("A skill's name", { min: 1 }), "Skills for its instructions", { max: MAX_SKILLS }),
  ),
});

/** Starts an agent that works in parallel; its result arrives as a message. */
export function createAgentTool(): Tool {
  return builtIn({
    name: "create_agent",
    description:
      "Starts another agent that works on a task in parallel, and returns its id at once. It never has more permissions than " +
      "you. Its result or failure arrives as a message; wait_for_message waits for it.",
    input,
    ...AGENTS,
    limits: { timeoutMs: TIMEOUT_MS },
    needs: [TeamKey, CurrentAgent],
    attributes: ({ name, skills = [] }) => ({ name, skills: skills.join(" ") }),
    async run({ name, task, inherit_context: inheritsContext, skills = [] }, context) {
      const by = context.get(CurrentAgent);
      const member = await context.get(TeamKey).create({ by, name, task, inheritsContext, skills });
      const text = `${member.id} (${member.name}) works on it now; its result arrives as a message`;
      return new Reply(text, { data: { agent_id: member.id, name: member.name } });
    },
  });
}
