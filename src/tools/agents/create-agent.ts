import { Reply } from "../../core/content.ts";
import { CurrentAgent } from "../../core/context.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { boolean, list, object, optional, string } from "../../schema/define/schema.ts";
import { TeamKey } from "../../core/agent/team.ts";
import type { Tool } from "../../core/tool.ts";
import { AGENTS, MAX_TEXT_CHARACTERS } from "./kinds.ts";

const MAX_NAME_CHARACTERS = 64;
const MAX_SKILLS = 10;
/** Opening a conversation and reading skills; the work itself is not waited for. */
const TIMEOUT_MS = 60_000;

const input = object({
  name: string("How it is called; its id comes with the answer", { min: 1, max: MAX_NAME_CHARACTERS }),
  task: string("What to do and what to report", { min: 1, max: MAX_TEXT_CHARACTERS }),
  inherit_context: optional(boolean("Tells it what was said here so far, shortened"), true),
  skills: optional(list(string("A skill's name", { min: 1 }), "Skills it works by", { max: MAX_SKILLS })),
});

/** Starts an agent that works beside its creator; what it finds comes as a message. */
export function createAgentTool(): Tool {
  return defineTool({
    name: "create_agent",
    description:
      "Starts another agent that works on a task beside you, and answers with its id at once. It never may do more than " +
      "you. What it finds, or that it failed, comes to you as a message; wait_for_message waits for that.",
    input,
    ...AGENTS,
    limits: { timeoutMs: TIMEOUT_MS },
    needs: [TeamKey, CurrentAgent],
    attributes: ({ name, skills = [] }) => ({ name, skills: skills.join(" ") }),
    async run({ name, task, inherit_context: inheritsContext, skills = [] }, context) {
      const by = context.get(CurrentAgent);
      const member = await context.get(TeamKey).create({ by, name, task, inheritsContext, skills });
      const text = `${member.id} (${member.name}) works on it now; its result will come to you as a message`;
      return new Reply(text, { data: { agent_id: member.id, name: member.name } });
    },
  });
}
