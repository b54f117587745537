import { builtIn, AGENTS } from "../shared/built-in-tool.ts";
import { Reply } from "../../core/content.ts";
import { CurrentAgent } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { boolean, list, object, optional, string } from "../../schema/define/schema.ts";
import { AgentControlKey, TeamKey } from "../../core/agent/team.ts";
import type { Tool } from "../../core/tool.ts";
import { longText } from "./messages.ts";

const MAX_FINDINGS = 100;
const MAX_FINDING_CHARACTERS = 2000;

const input = object({
  result_summary: longText("The result of the task"),
  findings: optional(
    list(string("One finding", { min: 1, max: MAX_FINDING_CHARACTERS }), "The findings, one by one", {
      max: MAX_FINDINGS,
    }),
  ),
  success: optional(boolean("False if the task could not be done"), true),
});

/** Ends the work of the calling agent and reports to its parent. */
export function agentFinish(): Tool {
  return builtIn({
    name: "agent_finish",
    description:
      "Ends your own work and reports the result to the agent that created you. Call it last, once, with everything that " +
      "matters: there are no follow-up questions. It fails while agents that you created still work, and while you have " +
      "unread messages.",
    input,
    ...AGENTS,
    needs: [TeamKey, CurrentAgent, AgentControlKey],
    attributes: ({ success, findings = [] }) => ({ success, findings: findings.length }),
    async run({ result_summary: summary, findings = [], success }, context) {
      const by = context.get(CurrentAgent);
      if (by.parentId === undefined)
        throw new ToolError("TOOL_FAILED", "no agent has created you, so there is no agent to report to", {
          hint: "answer the person you talk to; finish_scan ends a scan",
        });
      await context.get(TeamKey).finish({ by, summary, findings, success });
      context.get(AgentControlKey).finish();
      return new Reply(`Your work is done; ${by.parentId} gets your report.`, {
        data: { parent_agent_id: by.parentId, success },
      });
    },
  });
}
