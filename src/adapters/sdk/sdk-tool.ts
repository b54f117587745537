import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { Reply, type Content } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Risk, Effects } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import type { StandardSchema } from "../../schema/define/standard-schema.ts";
import { copyJson } from "../../util/json/copy-json.ts";

/** What an engine must know of another SDK's tools, which do not declare it. */
export interface SdkToolsOptions {
  /** Default: medium, which needs approval in the default mode; high for a tool that always needs approval. */
  readonly risk?: Risk;
  /** Default: unsafe. */
  readonly effects?: Effects;
  readonly group?: string;
}

/** A tool of another SDK, before it is a tool of an engine. */
interface SdkTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject | StandardSchema;
  /** The SDK, as the tool's source. */
  readonly source: string;
  /** True, or a rule of its own that is asked before each run: then the engine's approver is. */
  readonly needsApproval: boolean | ((input: JsonObject, context: ToolContext) => Promise<boolean>);
  readonly run: (input: JsonObject, context: ToolContext) => unknown;
}

const KINDS: OptionKinds<SdkToolsOptions> = {
  risk: "anything",
  effects: "anything",
  group: "a text that is not empty",
};

/** Returns the tool for an engine. A tool with a rule of its own asks by that rule, during the run. */
export function toEngineTool(tool: SdkTool, options: SdkToolsOptions): Tool {
  checkOptions("the tools of another SDK", options, KINDS);
  const { needsApproval, run, ...rest } = tool;
  const risk = needsApproval === true ? "high" : "medium";
  return defineTool({
    risk,
    ...rest,
    ...options,
    async run(input, context) {
      if (typeof needsApproval === "function" && (await needsApproval(input as JsonObject, context)))
        await demandApproval(tool.name, context);
      return run(input as JsonObject, context);
    },
  });
}

async function demandApproval(name: string, { ask, call }: ToolContext): Promise<void> {
  const approval = await ask({
    text: `Run ${name}?`,
    details: { input: copyJson(call.input, undefined) },
  });
  if (approval.approved) return;
  throw new ToolError("DENIED", `the tool "${name}" needs approval: ${approval.reason}`, {
    hint: approval.hint,
  });
}

/** Throws `INVALID_INPUT` if a tool has no function that executes it. */
export function checkExecutable(name: string, execute: unknown): void {
  if (typeof execute === "function") return;
  throw new ToolError("INVALID_INPUT", `the tool "${name}" has no execute function`, {
    hint: "leave out tools that a client or a provider executes",
  });
}

/** Returns content for the model, with a value as its data. */
export function replyOf(content: readonly Content[], value: unknown): Reply {
  return new Reply(content, value === undefined ? {} : { data: copyJson(value, undefined) });
}

/** Throws the error of a tool that answers with its failure. */
export function failed(name: string, text: string): never {
  throw new ToolError("TOOL_FAILED", text === "" ? `${name} failed` : text);
}
