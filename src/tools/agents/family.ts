import type { Tool } from "../../core/tool.ts";
import { agentFinish } from "./agent-finish.ts";
import { createAgentTool } from "./create-agent.ts";
import { sendMessageToAgent } from "./send-message-to-agent.ts";
import { subagent } from "./subagent.ts";
import { viewAgentGraph } from "./view-agent-graph.ts";
import { waitForMessage } from "./wait-for-message.ts";

/** Returns the tools of agents that work together. They need a `Team` in the context, so the host of the agents adds them. */
export function agentTools(): Tool[] {
  return [
    subagent(),
    createAgentTool(),
    sendMessageToAgent(),
    waitForMessage(),
    viewAgentGraph(),
    agentFinish(),
  ];
}
