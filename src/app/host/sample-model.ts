import type { Content } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { Job } from "../../core/job.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Message } from "../../core/agent/message.ts";
import type { Model, ModelPart } from "../../core/agent/model.ts";
import type { Policy } from "../../core/policy.ts";
import type { Verdict } from "../../core/verdict.ts";
import type { Tool } from "../../core/tool.ts";
import { ClientSampler } from "../../sources/mcp/types/client-keys.ts";
import type { Sample, SampleAsker } from "../../sources/mcp/types/source-types.ts";
import type { ConfigGroups } from "../config/groups.ts";
import { defined } from "../../util/json/defined.ts";
import type { LearnKey } from "./keys/stored-key.ts";
import { openOnUse } from "./tool-models.ts";
import { textOf } from "../../util/text/text-of.ts";
import { contentText } from "../../util/text/content-text.ts";

/** How many characters of the server's messages, and of its instructions, an approver sees. */
const MAX_SHOWN_CHARACTERS = 2000;

export interface SamplingOptions {
  readonly learn: LearnKey;
  readonly judge: Policy["judge"];
  /** True: requests are passed on to clients that support them. */
  readonly passesOn: boolean | undefined;
}

/**
 * Creates the function by which MCP servers ask a model: that of the client that made the call, if a gateway passes requests on to it,
 * else the configured one. Policy judges each request: yolo allows it, plan denies it, other modes need approval. Undefined if neither is
 * possible: then servers learn that sampling is not supported.
 */
export function createSampler(
  config: ConfigGroups<"agent" | "paths" | "environment">,
  { learn, judge, passesOn = false }: SamplingOptions,
): Sample | undefined {
  if (config.agent.model === "" && !passesOn) return undefined;
  let opened: Promise<Model> | undefined;
  return async (request, signal, asker) => {
    const verdict = judge(jobOf(asker.server));
    const client = asker.context?.find(ClientSampler);
    if (client !== undefined) {
      // The client would add what its other servers told it, and the answer goes to this one.
      const { includeContext: _context, ...passed } = request;
      await approve("the model of your client", verdict, asker, request);
      return client(passed, signal);
    }
    if (config.agent.model === "")
      throw new ToolError("UNAVAILABLE", "neither the client nor the config has a model for sampling");
    const messages = messagesOf(request["messages"]);
    await approve(config.agent.model, verdict, asker, request);
    opened ??= openOnUse(config, learn, config.agent.model).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    const model = await opened;
    const { parts, reason } = await answerOf(model, { request, messages, signal });
    const text = textOf(parts, "");
    const stopReason = reason === "length" ? "maxTokens" : "endTurn";
    return { role: "assistant", content: { type: "text", text }, model: model.id, stopReason };
  };
}

/** The tool that rules see: one of the program's own, so that a rule that allows the server's tools does not allow it. */
const SAMPLING: Tool = {
  name: "sampling",
  description: "Asks the model on behalf of an MCP server.",
  input: { type: "object" },
  risk: "medium",
  effects: "unsafe",
  place: "host",
  source: "mcp",
  run: () => "",
};

function jobOf(server: string): Job {
  const facts = [{ kind: "mcp", server, tool: "sampling" }] as const;
  const input = { server };
  const call = { id: "sampling", name: SAMPLING.name, input };
  return { call, tool: SAMPLING, input, hidden: {}, facts, risk: SAMPLING.risk };
}

async function approve(
  model: string,
  { kind, reason }: Verdict,
  { server, context }: SampleAsker,
  { systemPrompt, messages }: JsonObject,
): Promise<void> {
  if (kind === "allow") return;
  if (kind === "deny") throw new ToolError("DENIED", `no model is asked on behalf of a server: ${reason}`);
  if (context === undefined) throw new ToolError("DENIED", "a server may ask only while it is at a call");
  const text = `the MCP server "${server}" wants ${model} to answer`;
  const details = {
    server,
    model,
    ...defined({ systemPrompt: systemPrompt && shown(systemPrompt) }),
    messages: shown(messages),
  };
  const approval = await context.ask({ text, details });
  if (!approval.approved)
    throw new ToolError("DENIED", `${text}, and that was not approved: ${approval.reason}`);
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value ?? null);
  const more = text.length - MAX_SHOWN_CHARACTERS;
  return more > 0 ? `${text.slice(0, MAX_SHOWN_CHARACTERS)} [${more} more characters]` : text;
}

interface Asked {
  readonly request: JsonObject;
  readonly messages: readonly Message[];
  readonly signal: AbortSignal;
}

async function answerOf(
  model: Model,
  { request, messages, signal }: Asked,
): Promise<Extract<ModelPart, { type: "done" }>> {
  const { systemPrompt, maxTokens, temperature } = request;
  const stream = model.stream({
    instructions: typeof systemPrompt === "string" ? systemPrompt : "",
    messages,
    tools: [],
    signal,
    ...(typeof maxTokens === "number" && { maxOutputTokens: maxTokens }),
    ...(typeof temperature === "number" && { temperature }),
  });
  for await (const part of stream) if (part.type === "done") return part;
  throw new ToolError("MODEL_FAILED", "the model's answer has no end");
}

function messagesOf(given: Json | undefined): readonly Message[] {
  const messages = Array.isArray(given) ? given.filter(isObject).map(toMessage) : [];
  if (messages.length > 0) return messages;
  throw new ToolError("INVALID_INPUT", "there is no message to answer");
}

function toMessage({ role, content }: JsonObject): Message {
  const pieces = (Array.isArray(content) ? content : [content]).filter(isObject).map(toContent);
  if (role !== "assistant") return { role: "user", content: pieces };
  const parts = pieces.map((piece) => ({ type: "text" as const, text: contentText([piece]) }));
  return { role: "assistant", parts };
}

function toContent({ type, text, data, mimeType }: JsonObject): Content {
  if (type === "text" && typeof text === "string") return { type, text };
  const isMedia = (type === "image" || type === "audio") && typeof data === "string";
  if (isMedia && typeof mimeType === "string") return { type, data, mimeType };
  throw new ToolError("INVALID_INPUT", `a message has content of the kind ${JSON.stringify(type)}`, {
    hint: "text, image and audio can be sent",
  });
}
