import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { defineTool, type ToolDefinition } from "../../schema/define/define-tool.ts";
import type { JsonObject } from "../../core/json.ts";
import type { InputOf, InputSchema } from "../../schema/define/tool-types.ts";
import type { Tool, ToolOutput } from "../../core/tool.ts";

const DEFINITION: unique symbol = Symbol.for("toolwright.1.definition");

/** The definition of a tool whose `run` is a method. */
export type MethodDefinition<S extends InputSchema> = Omit<ToolDefinition<S>, "run" | "name"> & {
  /** Default: the method's name in snake_case. */
  readonly name?: string;
};

type ToolMethod<S> = (input: InputOf<S>, context: ToolContext) => ToolOutput;

/** Marks a method as a tool; `toolsOf(instance)` finds it. A standard decorator, not the legacy kind. */
export function tool<const S extends InputSchema = JsonObject>(definition: MethodDefinition<S>) {
  return (method: ToolMethod<S>, context: ClassMethodDecoratorContext): void => {
    if (typeof context !== "object" || context.kind !== "method")
      throw new ToolError("INVALID_INPUT", "@tool needs a method and standard decorators", {
        hint: 'remove "experimentalDecorators" from tsconfig.json, and put @tool on methods only',
      });
    const name = definition.name ?? toSnakeCase(String(context.name));
    Object.defineProperty(method, DEFINITION, { value: { ...definition, name } });
  };
}

/** Returns the tools among an object's methods, including inherited ones, bound to it. An override without the decorator is not a tool. */
export function toolsOf(instance: object): Tool[] {
  const tools = new Map<string, Tool | undefined>();
  for (
    let level = instance;
    level !== Object.prototype && level !== null;
    level = Object.getPrototypeOf(level)
  ) {
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (!tools.has(key)) tools.set(key, toTool(instance, property.value));
    }
  }
  return [...tools.values()].filter((found) => found !== undefined);
}

function toTool(instance: object, method: unknown): Tool | undefined {
  if (typeof method !== "function" || !(DEFINITION in method)) return undefined;
  const definition = method[DEFINITION] as ToolDefinition<JsonObject>;
  return defineTool({ ...definition, run: (input, context) => method.call(instance, input, context) });
}

function toSnakeCase(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `_${letter}`)
    .toLowerCase();
}
