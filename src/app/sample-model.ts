import type { Content } from "../core/content.ts";
import { ToolError } from "../core/errors.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { isObject } from "../core/json.ts";
import type { Message } from "../core/message.ts";
import type { Model, ModelPart } from "../core/model.ts";
import type { Sample, SampleAsker } from "../sources/mcp/client.ts";
import type { Config } from "./config.ts";
import { openConfiguredModel } from "./open-configured-model.ts";

/** How much of what the server wants to ask an approver is shown. */
const MAX_SHOWN_CHARACTERS = 2000;

/**
 * Lets MCP servers ask the configured model, as the mode allows: in yolo at once, in plan never, else after somebody has
 * approved it. Undefined where no model is set: then servers are told that there is none.
 */
export function createSampler(config: Config): Sample | undefined {
  if (config.model === "") return undefined;
  let opened: Promise<Model> | undefined;
  return async (request, signal, asker) => {
    const messages = messagesOf(request["messages"]);
    await approve(config, asker, messages);
    opened ??= openConfiguredModel(config).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    const model = await opened;
    const { parts, reason } = await answerOf(model, { request, messages, signal });
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    const stopReason = reason === "length" ? "maxTokens" : "endTurn";
    return { role: "assistant", content: { type: "text", text }, model: model.id, stopReason };
  };
}

async function approve(
  { mode, model }: Config,
  { server, context }: SampleAsker,
  messages: readonly Message[],
): Promise<void> {
  if (mode === "yolo") return;
  if (mode === "plan") throw new ToolError("DENIED", "mode plan asks no model on behalf of a server");
  if (context === undefined) throw new ToolError("DENIED", "a server may ask only while it is at a call");
  const text = `the MCP server "${server}" wants ${model} to answer`;
  const prompt = JSON.stringify(messages).slice(0, MAX_SHOWN_CHARACTERS);
  const approval = await context.ask({ text, details: { server, model, messages: prompt } });
  if (!approval.approved)
    throw new ToolError("DENIED", `${text}, and that was not approved: ${approval.reason}`);
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
  const parts = pieces.map((piece) => ({
    type: "text" as const,
    text: piece.type === "text" ? piece.text : `[${piece.type}]`,
  }));
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
