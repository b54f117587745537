import type { Content } from "../../core/content.ts";
import type { Message } from "../../core/agent/message.ts";
import { estimateText } from "../../engine/registry/estimate-text.ts";
import { modelTools } from "./build-request.ts";
import { limitTools } from "./tool-limit.ts";
import type { ContextPart, ContextUse } from "../runtime/running-agent.ts";
import type { AgentRuntime } from "../runtime/agent-runtime.ts";
import { estimateContent, estimateMessage, estimateTool } from "../context/estimate-tokens.ts";

/** Returns the parts of the next request, those without anything left out. */
export async function contextUse(agent: AgentRuntime): Promise<ContextUse> {
  const parts = [...(await promptParts(agent)), ...toolParts(agent), ...messageParts(agent)];
  const { inputTokens } = agent.counted;
  return { parts, ...(inputTokens !== undefined && { countedTokens: inputTokens }) };
}

async function promptParts({ prompt }: AgentRuntime): Promise<readonly ContextPart[]> {
  const parts = await prompt();
  return parts.map(({ name, text }) => ({ kind: "prompt", name, count: 1, tokens: estimateText(text) }));
}

function toolParts(agent: AgentRuntime): readonly ContextPart[] {
  const { engine, ceilings = [] } = agent.options;
  limitTools(agent);
  const session = agent.session.id;
  const specs = new Map(engine.list({ session }).map((spec) => [spec.name, spec]));
  const offeredTools = modelTools(engine, agent.model().format, { session, ceilings });
  const groups = Map.groupBy(offeredTools, ({ own }) => {
    const { source = "", group = source } = specs.get(own) ?? {};
    if (source === "built-in") return group;
    // Each program is a source of its own, named by its file.
    return source.includes("/") ? (source.split(":", 1)[0] ?? source) : source;
  });
  return [...groups].map(([name, tools]) => {
    const tokens = tools.reduce((sum, { tool }) => sum + estimateTool(tool), 0);
    return { kind: "tools", name, count: tools.length, tokens };
  });
}

const NAMES = { user: "user", assistant: "assistant", tool: "results" } as const;

function messageParts({ session }: AgentRuntime): readonly ContextPart[] {
  const sizes = new Map<string, { count: number; tokens: number }>();
  const add = (name: string, count: number, tokens: number): void => {
    const { count: before, tokens: sum } = sizes.get(name) ?? { count: 0, tokens: 0 };
    if (count > 0) sizes.set(name, { count: before + count, tokens: sum + tokens });
  };
  for (const { seq, message } of session.messages()) {
    const attached = attachmentsOf(message);
    const tokens = attached.reduce((sum, one) => sum + estimateContent(one), 0);
    add(seq === 0 ? "summary" : NAMES[message.role], 1, estimateMessage(message) - tokens);
    add("attachments", attached.length, tokens);
  }
  return [...sizes].map(([name, size]) => ({ kind: "messages", name, ...size }));
}

/** Returns the images and files of a message. */
function attachmentsOf(message: Message): readonly Content[] {
  if (message.role === "assistant") return [];
  const content = message.role === "user" ? message.content : message.results.flatMap((one) => one.content);
  return content.filter(({ type }) => type !== "text");
}
