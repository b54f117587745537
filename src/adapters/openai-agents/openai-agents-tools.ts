import type { Content } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Tool, ToolRef } from "../../core/tool.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { dataUrl, fileName, noteOn } from "../../formats/content-parts.ts";
import { asText } from "../../util/json/parse-json.ts";
import { textOf } from "../../util/text/text-of.ts";
import {
  engineTools,
  ONCE,
  type EngineAnswer,
  type EngineTool,
  type EngineToolsOptions,
  type TypesOf,
} from "../sdk/engine-tools.ts";
import { loadPeer } from "../sdk/load-peer.ts";
import { isShown } from "../sdk/model-output.ts";
import { replyOf, toEngineTool, type SdkToolsOptions } from "../sdk/sdk-tool.ts";

/** The part of the SDK's `RunContext` that has the decisions of people. */
export interface AgentsRunContext {
  isToolApproved(call: { readonly toolName: string; readonly callId: string }): boolean | undefined;
}

/** What the SDK passes to a tool besides its input. */
export interface AgentsCallDetails {
  readonly toolCall?: { readonly callId: string };
  readonly signal?: AbortSignal;
}

/** A part of an output with images or files. */
export type AgentsOutputPart =
  | { type: "text"; text: string }
  | { type: "image"; image: { data: string; mediaType: string } }
  | { type: "file"; file: { data: string; mediaType: string; filename: string } };

/** A tool of an engine as a `FunctionTool` of the OpenAI Agents SDK. */
export interface AgentsTool<Name extends string = string> {
  type: "function";
  name: Name;
  description: string;
  parameters: {
    type: "object";
    properties: Record<string, Record<string, unknown>>;
    required: string[];
    additionalProperties: true;
  };
  strict: false;
  needsApproval(context: AgentsRunContext, input: unknown, callId?: string): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  invoke(
    context: AgentsRunContext,
    input: string,
    details?: AgentsCallDetails,
  ): Promise<string | AgentsOutputPart[]>;
}

/** Returns the active tools of an engine for an `Agent` of the OpenAI Agents SDK. A call that needs approval becomes an interruption of the run. */
export function toOpenAiAgentsTools<const Tools extends readonly ToolRef[] = readonly ToolRef[]>(
  engine: Engine,
  options: EngineToolsOptions<Tools> = {},
): AgentsTool<TypesOf<Tools[number]>["name"]>[] {
  return engineTools(engine, options).map(toAgentsTool);
}

function toAgentsTool(tool: EngineTool): AgentsTool {
  const { name, description, parameters } = tool;
  return {
    type: "function",
    name,
    description,
    // Shown as it is; without `strict` the SDK accepts any JSON Schema of an object.
    parameters: { properties: {}, required: [], ...parameters } as unknown as AgentsTool["parameters"],
    strict: false,
    needsApproval: async (_, input, callId) => (await tool.request(callId, input)) !== undefined,
    isEnabled: async () => true,
    async invoke(context, input, { toolCall, signal } = {}) {
      const callId = toolCall?.callId;
      const isApproved = callId !== undefined && context.isToolApproved({ toolName: name, callId }) === true;
      const decision = isApproved ? ONCE : undefined;
      return toOutput(await tool.run(callId, input, { signal, decision }));
    },
  };
}

function toOutput({ content }: EngineAnswer): string | AgentsOutputPart[] {
  if (content.every(({ type }) => type === "text")) return textOf(content);
  return content.map((piece): AgentsOutputPart => {
    if (piece.type === "text") return { type: "text", text: piece.text };
    const { data, mimeType: mediaType } = piece;
    if (piece.type === "image") return { type: "image", image: { data, mediaType } };
    if (piece.type === "audio" || !isShown(piece))
      return { type: "text", text: noteOn(piece, "cannot be shown here") };
    return { type: "file", file: { data: dataUrl(piece), mediaType, filename: fileName(piece) } };
  });
}

/** The part of a `FunctionTool` that an engine uses. */
export interface AgentsToolLike {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
  readonly needsApproval: unknown;
  readonly invoke: unknown;
}

type Invoke = (context: unknown, input: string, details: object) => Promise<unknown>;
type NeedsApproval = (context: unknown, input: unknown, callId: string) => Promise<boolean>;

/** Returns function tools of the OpenAI Agents SDK as tools of an engine. Each call has a new `RunContext`. */
export async function fromOpenAiAgentsTools(
  tools: readonly AgentsToolLike[],
  options: SdkToolsOptions = {},
): Promise<Tool[]> {
  const { RunContext } = await loadPeer("@openai/agents", () => import("@openai/agents"));
  return tools.map((tool) =>
    toEngineTool(
      {
        name: tool.name,
        description: tool.description,
        input: tool.parameters as JsonObject,
        source: "openai-agents",
        needsApproval: (input, { call }) =>
          (tool.needsApproval as NeedsApproval)(new RunContext(), input, call.id),
        run: async (input, context) => {
          const details = detailsOf(tool.name, input, context);
          return fromOutput(await (tool.invoke as Invoke)(new RunContext(), JSON.stringify(input), details));
        },
      },
      options,
    ),
  );
}

function detailsOf(name: string, input: JsonObject, { call, signal }: ToolContext): object {
  const toolCall = { type: "function_call", callId: call.id, name, arguments: JSON.stringify(input) };
  return { toolCall, signal };
}

const OCTETS = "application/octet-stream";

function fromOutput(output: unknown): unknown {
  const parts: readonly unknown[] = Array.isArray(output) ? output : [output];
  const content = parts.map(fromPart);
  return content.every((piece) => piece !== undefined) ? replyOf(content, undefined) : output;
}

/** Returns the content of a structured output; undefined for any other value. */
function fromPart(part: unknown): Content | undefined {
  if (!isObject(part)) return undefined;
  const { type, text } = part;
  if (type === "text" && typeof text === "string") return { type: "text", text };
  const inner = type === "image" || type === "file" ? part[type] : undefined;
  if (!isObject(inner) || typeof inner["data"] !== "string") return undefined;
  const data = inner["data"].replace(/^data:[^,]*,/, "");
  const mimeType = asText(inner["mediaType"] ?? (type === "image" ? "image/png" : OCTETS));
  if (type === "image") return { type, data, mimeType };
  return { type: "file", data, mimeType, name: asText(inner["filename"] ?? "file") };
}
