import type { DynamicStructuredTool, StructuredToolInterface } from "@langchain/core/tools";
import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import type { Content } from "../../core/content.ts";
import type { Progress } from "../../core/context.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Tool, ToolRef } from "../../core/tool.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { fileName, noteOn } from "../../formats/content-parts.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { textOf } from "../../util/text/text-of.ts";
import { toDecision } from "../sdk/decision.ts";
import {
  engineTools,
  type EngineAnswer,
  type EngineTool,
  type EngineToolsOptions,
  type TypesOf,
} from "../sdk/engine-tools.ts";
import { loadPeer } from "../sdk/load-peer.ts";
import { isShown } from "../sdk/model-output.ts";
import { failed, replyOf, toEngineTool, type SdkToolsOptions } from "../sdk/sdk-tool.ts";

/** Options of tools for LangChain and LangGraph. */
export interface LangChainToolsOptions<
  Tools extends readonly ToolRef[] = readonly ToolRef[],
> extends EngineToolsOptions<Tools> {
  /**
   * `interrupt` of `@langchain/langgraph`: a call that needs approval interrupts the graph, which needs a checkpointer. Without it the
   * engine's approver decides.
   */
  readonly interrupt?: (request: LangChainRequest) => unknown;
}

/**
 * What the graph is interrupted with: the request of LangChain's human-in-the-loop middleware, so that programs written for that can
 * answer it with `{ decisions: [{ type: "approve" | "edit" | "reject", … }] }`. `request` has everything else that the engine knows.
 */
export interface LangChainRequest {
  readonly actionRequests: readonly {
    readonly name: string;
    readonly args: JsonObject;
    readonly description: string;
  }[];
  readonly reviewConfigs: readonly {
    readonly actionName: string;
    readonly allowedDecisions: readonly ("approve" | "edit" | "reject")[];
    readonly argsSchema: JsonObject;
  }[];
  readonly request: ApprovalRequest;
}

/** A tool of LangChain with the name and the input of this tool. */
export type LangChainTool<T> = T extends ToolRef
  ? DynamicStructuredTool<
      JsonObject,
      TypesOf<T>["given"],
      TypesOf<T>["given"],
      unknown,
      unknown,
      TypesOf<T>["name"]
    >
  : never;

/** Returns the active tools of an engine for `createAgent`, `ToolNode` or any model of LangChain. Their messages have the answer as artifact. */
export async function toLangChainTools<const Tools extends readonly ToolRef[] = readonly ToolRef[]>(
  engine: Engine,
  options: LangChainToolsOptions<Tools> = {},
): Promise<LangChainTool<Tools[number]>[]> {
  const { interrupt, ...rest } = options;
  const name = "@langchain/core";
  const { DynamicStructuredTool: Dynamic } = await loadPeer(name, () => import("@langchain/core/tools"));
  const { ToolMessage } = await loadPeer(name, () => import("@langchain/core/messages"));
  const approvals = interrupt === undefined ? "engine" : (rest.approvals ?? "sdk");
  const tools = engineTools(engine, { ...rest, approvals }).map(
    (tool) =>
      new Dynamic({
        name: tool.name,
        description: tool.description,
        schema: tool.parameters,
        // LangChain validates before the engine does: the model is to read what is wrong.
        verboseParsingErrors: true,
        async func(input: unknown, _, config: ToolConfig = {}) {
          const { toolCall, signal, writer } = config;
          const request = await tool.request(toolCall?.id, input);
          const decision =
            request === undefined || interrupt === undefined
              ? undefined
              : fromDecisions(interrupt(toInterrupt(tool, request)));
          const onProgress = (progress: Progress): void => writer?.({ tool: tool.name, progress });
          const answer = await tool.run(toolCall?.id, input, { signal, decision, onProgress });
          const content = toBlocks(answer);
          if (toolCall?.id === undefined) return content;
          const status = answer.ok ? "success" : "error";
          return new ToolMessage({
            content,
            artifact: answer,
            status,
            tool_call_id: toolCall.id,
            name: tool.name,
          });
        },
      }),
  );
  return tools as unknown as LangChainTool<Tools[number]>[];
}

/** What LangChain and LangGraph pass to a tool; `writer` streams in the mode `custom`. */
interface ToolConfig {
  readonly toolCall?: { readonly id?: string };
  readonly signal?: AbortSignal;
  readonly writer?: (chunk: unknown) => void;
}

function toInterrupt(tool: EngineTool, request: ApprovalRequest): LangChainRequest {
  const { name, parameters } = tool;
  return {
    actionRequests: [{ name, args: request.input, description: request.reason }],
    reviewConfigs: [
      { actionName: name, allowedDecisions: ["approve", "edit", "reject"], argsSchema: parameters },
    ],
    request,
  };
}

/** Returns the decision of a person: of LangChain's form, or an `Approval`. */
function fromDecisions(resumed: unknown): Approval {
  const { decisions }: { decisions?: unknown } = isObject(resumed) ? resumed : {};
  const decision: unknown = Array.isArray(decisions) ? decisions[0] : resumed;
  if (!isObject(decision) || "approved" in decision) return toDecision(decision);
  const { type, message, editedAction, scope } = decision;
  if (type !== "approve" && type !== "edit") return toDecision({ approved: false, reason: message ?? "" });
  const input = type === "edit" && isObject(editedAction) ? editedAction["args"] : undefined;
  return toDecision({ approved: true, scope: scope ?? "once", input: input ?? null });
}

type Block =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "audio" | "file";
      readonly data: string;
      readonly mimeType: string;
      readonly metadata?: { readonly filename: string };
    };

function toBlocks({ content }: EngineAnswer): string | Block[] {
  if (content.every(({ type }) => type === "text")) return textOf(content);
  return content.map((piece): Block => {
    if (piece.type === "text") return { type: "text", text: piece.text };
    if (!isShown(piece)) return { type: "text", text: noteOn(piece, "cannot be shown here") };
    const { type, data, mimeType } = piece;
    return { type, data, mimeType, ...(type === "file" && { metadata: { filename: fileName(piece) } }) };
  });
}

/** Returns tools of LangChain as tools of an engine. */
export async function fromLangChainTools(
  tools: readonly StructuredToolInterface[],
  options: SdkToolsOptions = {},
): Promise<Tool[]> {
  const { toJsonSchema } = await loadPeer(
    "@langchain/core",
    () => import("@langchain/core/utils/json_schema"),
  );
  return tools.map((tool) =>
    toEngineTool(
      {
        name: tool.name,
        description: tool.description,
        input: copyJson(toJsonSchema(tool.schema), undefined) as JsonObject,
        source: "langchain",
        needsApproval: false,
        run: async (args, { call, signal }) => {
          const toolCall = { type: "tool_call", id: call.id, name: tool.name, args } as const;
          return fromMessage(tool.name, await tool.invoke(toolCall, { signal }));
        },
      },
      options,
    ),
  );
}

function fromMessage(name: string, message: unknown): unknown {
  const { content, artifact, status } = message as {
    readonly content?: unknown;
    readonly artifact?: unknown;
    readonly status?: unknown;
  };
  const pieces: readonly unknown[] =
    typeof content === "string" ? [content] : Array.isArray(content) ? content : [];
  const contents = pieces.map(fromBlock);
  if (status === "error") failed(name, textOf(contents));
  return replyOf(contents, artifact);
}

function fromBlock(block: unknown): Content {
  if (typeof block === "string") return { type: "text", text: block };
  const { type, text, data, mimeType } = isObject(block) ? block : {};
  if (typeof text === "string") return { type: "text", text };
  if (typeof data !== "string" || typeof mimeType !== "string")
    return { type: "text", text: JSON.stringify(block) };
  return { type: type === "image" || type === "audio" ? type : "file", data, mimeType };
}
