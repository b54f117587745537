import type { ApprovalRequest } from "../../core/approval.ts";
import type { Progress, ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Tool, ToolRef } from "../../core/tool.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { toDecision } from "../sdk/decision.ts";
import {
  engineTools,
  type EngineAnswer,
  type EngineTool,
  type EngineToolsOptions,
  type TypesOf,
} from "../sdk/engine-tools.ts";
import { loadPeer } from "../sdk/load-peer.ts";
import { toModelOutput, type ModelOutput } from "../sdk/model-output.ts";
import { openSchema, type OpenSchema } from "../sdk/open-schema.ts";
import { checkExecutable, toEngineTool, type SdkToolsOptions } from "../sdk/sdk-tool.ts";

/** The part of Mastra's execution context that the tools use. */
export interface MastraCall {
  readonly abortSignal?: AbortSignal;
  readonly writer?: { write(data: unknown): Promise<void> };
  readonly agent?: MastraRun & { readonly toolCallId: string };
  readonly workflow?: MastraRun;
}

/** A run that can be suspended. */
export interface MastraRun {
  readonly suspend: (payload: { readonly request: ApprovalRequest }) => Promise<void>;
  readonly resumeData?: unknown;
  readonly suspendPayload?: unknown;
}

/** A tool of an engine as a tool of Mastra. */
export interface MastraTool<Input = unknown, Data = unknown> {
  readonly id: string;
  readonly description: string;
  readonly inputSchema: OpenSchema<Input>;
  execute(input: Input, call: MastraCall): Promise<EngineAnswer<Data> | undefined>;
  toModelOutput(output: unknown): ModelOutput;
}

/** Tools of Mastra with the names and types of these tools. */
export type MastraTools<Tools extends readonly ToolRef[]> = {
  [T in Tools[number] as TypesOf<T>["name"]]: MastraTool<TypesOf<T>["given"], TypesOf<T>["data"]>;
};

/**
 * Returns the active tools of an engine for an `Agent` or a workflow of Mastra. A call that needs approval suspends the run with
 * `{ request }`; `approveToolCall`, `declineToolCall` or `resumeStream` with `{ approved, reason }` goes on with it.
 */
export async function toMastraTools<const Tools extends readonly ToolRef[] = readonly ToolRef[]>(
  engine: Engine,
  options: EngineToolsOptions<Tools> = {},
): Promise<MastraTools<Tools>> {
  const { createTool } = await loadPeer("@mastra/core", () => import("@mastra/core/tools"));
  const create = createTool as unknown as (tool: MastraTool) => MastraTool;
  return Object.fromEntries(
    engineTools(engine, options).map((tool) => [tool.name, create(toMastraTool(tool))]),
  ) as unknown as MastraTools<Tools>;
}

function toMastraTool(tool: EngineTool): MastraTool {
  return {
    id: tool.name,
    description: tool.description,
    inputSchema: openSchema(tool.parameters),
    async execute(input, { abortSignal: signal, writer, agent, workflow }) {
      const id = agent?.toolCallId;
      const run = agent ?? workflow;
      const request = run === undefined ? undefined : await tool.request(id, input);
      const isAnswered = request !== undefined && isAnswerTo(request, run);
      if (request !== undefined && run !== undefined && !isAnswered) {
        await run.suspend({ request });
        return undefined;
      }
      const decision = isAnswered ? toDecision(run?.resumeData) : undefined;
      // Mastra's stream is written while the tool runs; a reader that has gone away is no failure of the tool.
      const onProgress = (progress: Progress): void =>
        void writer?.write({ progress }).catch(() => undefined);
      return tool.run(id, input, { signal, decision, onProgress });
    },
    toModelOutput: (output) => toModelOutput(output as EngineAnswer),
  };
}

/** Returns true if a person was shown this request and has answered it. */
function isAnswerTo({ hash }: ApprovalRequest, run: MastraRun | undefined): boolean {
  if (run === undefined || run.resumeData === undefined || run.resumeData === null) return false;
  const { request }: { request?: unknown } = isObject(run.suspendPayload) ? run.suspendPayload : {};
  return !isObject(request) || request["hash"] === hash;
}

/** The part of a Mastra tool that an engine uses. */
export interface MastraToolLike {
  readonly id: string;
  readonly description: string;
  readonly inputSchema?: unknown;
  readonly requireApproval?: unknown;
  readonly needsApprovalFn?: unknown;
  readonly execute?: unknown;
}

type Execute = (input: JsonObject, context: object) => Promise<unknown>;
type Rule = (input: JsonObject) => boolean | Promise<boolean>;

/** Returns tools of Mastra as tools of an engine. Throws `INVALID_INPUT` for a tool without `execute`. */
export async function fromMastraTools(
  tools: readonly MastraToolLike[] | Readonly<Record<string, MastraToolLike>>,
  options: SdkToolsOptions = {},
): Promise<Tool[]> {
  const name = "@mastra/core";
  const { noopObserve } = await loadPeer(name, () => import("@mastra/core/tools"));
  const { RequestContext } = await loadPeer(name, () => import("@mastra/core/request-context"));
  const { standardSchemaToJSONSchema } = await loadPeer(name, () => import("@mastra/core/schema"));
  return Object.values(tools).map((tool) => {
    const { id, description, inputSchema } = tool;
    checkExecutable(id, tool.execute);
    const execute = tool.execute as Execute;
    const toJson = standardSchemaToJSONSchema as (schema: unknown) => unknown;
    const input = inputSchema === undefined ? { type: "object" } : toJson(inputSchema);
    const rule = [tool.requireApproval, tool.needsApprovalFn].find((one) => typeof one === "function");
    return toEngineTool(
      {
        name: id,
        description,
        input: copyJson(input, undefined) as JsonObject,
        source: "mastra",
        needsApproval:
          rule === undefined ? tool.requireApproval === true : async (given) => (rule as Rule)(given),
        run: async (given, context) => {
          const call = { ...callOf(id, context), observe: noopObserve, requestContext: new RequestContext() };
          return checked(id, await execute(given, call));
        },
      },
      options,
    );
  });
}

function callOf(name: string, { call, signal, emit }: ToolContext): object {
  const suspend = async (): Promise<never> => {
    throw new ToolError("UNAVAILABLE", `the tool "${name}" suspends its run, which an engine cannot resume`, {
      hint: "use the tool in an agent of Mastra",
    });
  };
  return {
    abortSignal: signal,
    writer: { write: async (data: unknown) => emit({ data: copyJson(data, undefined) }) },
    agent: { agentId: "toolwright", toolCallId: call.id, messages: [], suspend },
    suspend,
  };
}

/** Throws the error of a tool that refuses its input; returns every other output. */
function checked(name: string, output: unknown): unknown {
  if (!isObject(output) || output["error"] !== true || typeof output["message"] !== "string") return output;
  throw new ToolError("INVALID_INPUT", `${name}: ${output["message"]}`);
}
