import type { Tool } from "../../core/tool.ts";
import { agentFinish } from "./agent-finish.ts";
import { createAgentTool, subagent } from "./start-agents.ts";
import { sendMessageToAgent, waitForMessage } from "./messages.ts";
import { viewAgentGraph } from "./view-agent-graph.ts";

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
