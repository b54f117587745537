import type { ModelRequest, ModelFormat, ModelTool } from "../../core/agent/model.ts";
import { defined } from "../../util/json/defined.ts";
import { describeLevel } from "../budget/budget.ts";
import type { Task } from "../runtime/agent-runtime.ts";
import { promptText } from "../prompt/system-prompt.ts";
import { guardMessage } from "../runtime/messages.ts";
import type { ShownTool } from "../runtime/tool-origins.ts";
import { limitTools } from "./tool-limit.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { namesOfTool } from "../../core/tool.ts";
import { starPattern } from "../../util/text/name-pattern.ts";
import { unknownName } from "../../util/text/near-hint.ts";
import type { Ceiling } from "../../core/policy.ts";
import type { Engine } from "../../engine/types/engine.ts";

/**
 * Builds the next request from the current state: conversation and active tools. What a provider caches, the system prompt and the tools,
 * comes first and stays the same; what holds for this request only comes last.
 */
export async function buildRequest(task: Task): Promise<ModelRequest> {
  const { options, session, goals, prompt } = task.agent;
  const { outputSchema, temperature, maxOutputTokens } = options;
  const [parts] = await Promise.all([prompt(), goals.read()]);
  const notes = notesOf(task);
  return {
    instructions: promptText(parts),
    messages: [
      ...session.messages().map(({ message }) => message),
      ...(notes.length === 0 ? [] : [guardMessage("task", `[status of this task]\n${notes.join("\n")}`)]),
    ],
    ...toolsOfTurn(task),
    signal: task.signal,
    ...defined({ outputSchema, temperature, maxOutputTokens }),
  };
}

/** Returns what limits the tools of a turn: the agent's ceilings and the tools of the turn. */
export function turnCeilings({ agent, progress }: Task): readonly Ceiling[] {
  const { ceilings = [] } = agent.options;
  const { tools } = progress.settings;
  return tools === undefined ? ceilings : [...ceilings, { tools }];
}

function toolsOfTurn(task: Task): Pick<ModelRequest, "tools" | "toolUse" | "streamsInput"> {
  const { agent } = task;
  const { engine } = agent.options;
  const { format } = agent.model();
  limitTools(agent);
  const messages = agent.session.messages().map(({ message }) => message);
  const all = modelTools(engine, format, { session: agent.session.id, ceilings: turnCeilings(task) });
  const markedTools = agent.markOrigins(all, messages);
  const { toolUse } = task.progress.settings;
  const streaming = markedTools.filter(({ own }) => engine.get(own)?.onInput !== undefined);
  return {
    tools: markedTools.map(({ tool }) => tool),
    ...defined({
      toolUse: typeof toolUse === "object" ? { tool: shownName(markedTools, toolUse.tool) } : toolUse,
    }),
    ...(streaming.length > 0 && { streamsInput: streaming.map(({ tool }) => tool.name) }),
  };
}

/** Returns the name that the model is shown. Throws if the turn has no such tool: providers refuse the request. */
function shownName(shown: readonly ShownTool[], name: string): string {
  const ownTool = shown.find(({ own }) => own === name);
  if (ownTool !== undefined) return ownTool.tool.name;
  const names = shown.map(({ own }) => own);
  throw unknownName(
    `toolUse demands "${name}", which is not a tool of this turn`,
    name,
    names,
    "name an active tool",
  );
}

/** Returns notes that hold for this task only; they are not stored, so a later task does not see them. */
function notesOf({ meter, hookGuard }: Task): readonly string[] {
  const levels = meter.warned().map(describeLevel);
  const hooks = hookGuard.refused();
  const notes = [
    levels.length > 0 &&
      `The budget of this task is nearly spent (${levels.join(", ")}): finish the task with what is left.`,
    meter.spentCalls() !== undefined &&
      "No further call will be run in this task: answer with what you know.",
    meter.isLastTurn() &&
      "This is your last answer in this task: make no calls, report what was done and what is left to do.",
    hooks.length > 0 && `Prompts of these hooks are no longer passed on in this task: ${hooks.join(", ")}.`,
  ];
  return notes.filter((note) => note !== false);
}

interface ToolsOf {
  readonly session: string;
  /** Only tools within these are returned, as no other would run. */
  readonly ceilings?: readonly Ceiling[];
}

/** Returns the tools that a session can use now, in a model's format. Never cached: active tools can change at any time. */
export function modelTools(
  engine: Engine,
  format: ModelFormat,
  { session, ceilings = [] }: ToolsOf,
): readonly ShownTool[] {
  const names = engine.list({ session }).map(({ name }) => name);
  const patterns = ceilings.flatMap(({ tools }) => (tools === undefined ? [] : [tools.map(starPattern)]));
  const mayRun = (name: string): boolean => patterns.every((some) => some.some((matches) => matches(name)));
  return engine
    .specs(format, { session })
    .map((shape, index) => ({ own: names[index] ?? "", tool: toModelTool(shape, format) }))
    .filter(({ own }) => mayRun(own))
    .map(({ own, tool }) => ({ own, tool: { ...tool, ...aliasesOf(engine, own) } }));
}

/** Returns the aliases of a tool: models that write calls as text use the names that they have learned. */
function aliasesOf(engine: Engine, name: string): Pick<ModelTool, "aliases"> {
  const tool = engine.get(name);
  const [, ...aliases] = tool === undefined ? [] : namesOfTool(tool);
  return aliases.length === 0 ? {} : { aliases };
}

/** The key of the parameter schema in each format. */
const SCHEMA_KEYS: Readonly<Record<ModelFormat, string>> = {
  openai: "parameters",
  "openai-responses": "parameters",
  anthropic: "input_schema",
  google: "parameters",
};

const NO_PARAMETERS: JsonObject = { type: "object", properties: {} };

function toModelTool(shape: JsonObject, format: ModelFormat): ModelTool {
  const own = isObject(shape["function"]) ? shape["function"] : shape;
  const schema = own[SCHEMA_KEYS[format]];
  return {
    name: textOf(own, "name"),
    description: textOf(own, "description"),
    input: isObject(schema) ? schema : NO_PARAMETERS,
  };
}

function textOf(shape: JsonObject, key: string): string {
  const value = shape[key];
  return typeof value === "string" ? value : "";
}
