import type { JsonObject, JsonSchema } from "../../core/json.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { ToolError } from "../../core/errors.ts";
import { defined } from "../../util/json/defined.ts";
import { checkDefinition } from "./check-definition.ts";
import { object } from "./schema.ts";
import { isStandardSchema, parseStandard, toJsonSchema } from "./standard-schema.ts";
import type { GivenOf, InputOf, InputSchema, OutputOf, OutputSchema, RootOf, RunOf } from "./tool-types.ts";

type OptionalSpec = Partial<Omit<ToolSpec, "name" | "description" | "input" | "output">>;
type Behaviour<Input> = Omit<Tool<Input>, keyof ToolSpec | "run" | "parse" | "types">;

/** The definition of a tool. Defaults: risk medium, place host, effects unsafe. */
export interface ToolDefinition<
  S extends InputSchema,
  O extends OutputSchema | undefined = undefined,
  N extends string = string,
  R = unknown,
>
  extends OptionalSpec, Behaviour<InputOf<S>> {
  /** 1 to 128 characters without spaces; unique in an engine. */
  readonly name: N;
  readonly description: string;
  /** Short for low risk and no effects: the tool only reads. */
  readonly reading?: boolean;
  /** Default: no parameters. */
  readonly input?: S & RootOf<S>;
  /** The schema of the answer's data, which is validated against it. */
  readonly output?: O;
  /** Does the work. The input fits the schema; what it throws becomes the failure of the call. */
  readonly run: RunOf<S, O, R>;
}

const DEFAULTS = { risk: "medium", place: "host", effects: "unsafe", source: "app" } as const;
const READING = { ...DEFAULTS, risk: "low", effects: "none" } as const;

/** Creates a tool from its definition; the schema gives the input type of `run`. Throws `INVALID_INPUT` for a tool that could not run. */
export function defineTool<
  const S extends InputSchema = JsonObject,
  const O extends OutputSchema | undefined = undefined,
  const N extends string = string,
  R = unknown,
>(definition: ToolDefinition<S, O, N, R>): Tool<InputOf<S>, OutputOf<O>, GivenOf<S>, N> {
  const { input, output, reading = false, ...rest } = definition;
  const tool: Tool<InputOf<S>, OutputOf<O>, GivenOf<S>, N> = {
    ...(reading ? READING : DEFAULTS),
    ...(defined(rest) as typeof rest),
    ...(isStandardSchema(input)
      ? {
          input: toJsonSchema(input, definition.name, "input"),
          parse: (value: JsonObject) => parseStandard(input, value),
        }
      : { input: (input as JsonObject | undefined) ?? object({}) }),
    ...defined({
      output: isStandardSchema(output)
        ? toJsonSchema(output, definition.name, "output")
        : (output as JsonSchema | undefined),
    }),
  };
  checkDefinition(tool);
  if (reading && (tool.risk !== "low" || tool.effects !== "none"))
    throw new ToolError("INVALID_INPUT", `tool "${tool.name}": reading contradicts its risk or effects`, {
      hint: "reading: true is risk low and effects none; omit one or the other",
    });
  return tool;
}
