import type { JsonObject } from "../../core/json.ts";
import type { Parsed } from "../../core/tool.ts";
import type { Problem } from "../../core/result.ts";
import { ToolError } from "../../core/errors.ts";

/** The part of the Standard Schema interface that is used; Zod 4, Valibot, ArkType and others implement it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardOutcome<Output> | Promise<StandardOutcome<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => Readonly<Record<string, unknown>>;
      readonly output: (options: { readonly target: string }) => Readonly<Record<string, unknown>>;
    };
  };
}

type StandardOutcome<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export function isStandardSchema(value: unknown): value is StandardSchema {
  const kind = typeof value;
  return (kind === "object" || kind === "function") && value !== null && "~standard" in (value as object);
}

/** Returns the JSON Schema of a library's input; throws, with what to add, if it has none. */
export function toJsonSchema(schema: StandardSchema, toolName: string, side: "input" | "output"): JsonObject {
  const { jsonSchema, vendor } = schema["~standard"];
  if (jsonSchema === undefined) {
    throw new ToolError("INVALID_INPUT", `tool "${toolName}": its ${vendor} schema has no JSON Schema`, {
      hint:
        vendor === "valibot"
          ? 'wrap it: toStandardJsonSchema(schema) from "@valibot/to-json-schema"'
          : vendor === "zod"
            ? 'use Zod 4: import { z } from "zod"'
            : "use a version of the library that implements Standard JSON Schema, or pass plain JSON Schema",
    });
  }
  try {
    return jsonSchema[side]({ target: "draft-2020-12" }) as JsonObject;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(
      "INVALID_INPUT",
      `tool "${toolName}": its ${vendor} schema has no JSON Schema: ${why}`,
      { hint: "use a type that JSON has, such as z.iso.datetime() in place of z.date()", cause },
    );
  }
}

/** Runs the library's own validation, with its refinements and transforms. */
export function parseStandard(schema: StandardSchema, input: JsonObject): Parsed | Promise<Parsed> {
  const outcome = validate(schema, input);
  return outcome instanceof Promise ? outcome.then(toParsed) : toParsed(outcome);
}

/** The parts of a schema of Zod that validate it in one run, synchronous or not. */
interface ZodSchema {
  readonly _zod?: { readonly run?: (payload: ZodPayload, context: { readonly async: true }) => unknown };
  readonly safeParseAsync?: (value: unknown) => Promise<ZodOutcome>;
}

interface ZodPayload {
  readonly value: unknown;
  readonly issues: readonly unknown[];
}

interface ZodOutcome {
  readonly data?: unknown;
  readonly error?: { readonly issues: readonly StandardIssue[] };
}

/**
 * Validates with the library. Zod's own Standard Schema function begins a synchronous run, and leaves what an asynchronous refinement of it
 * throws as an unhandled rejection, which ends the process.
 */
function validate(
  schema: StandardSchema,
  input: JsonObject,
): StandardOutcome<unknown> | Promise<StandardOutcome<unknown>> {
  const { _zod: zod, safeParseAsync } = schema as ZodSchema;
  if (typeof zod?.run !== "function" || typeof safeParseAsync !== "function")
    return schema["~standard"].validate(input);
  const payload = zod.run({ value: input, issues: [] }, { async: true });
  if (!(payload instanceof Promise)) {
    const { value, issues } = payload as ZodPayload;
    return issues.length === 0 ? { value } : schema["~standard"].validate(input);
  }
  return payload.then(async ({ value, issues }: ZodPayload) => {
    if (issues.length === 0) return { value };
    // A second run: only the outcome of a parse has the messages.
    const { data, error } = await safeParseAsync(input);
    return error === undefined ? { value: data } : { issues: error.issues };
  });
}

function toParsed(outcome: StandardOutcome<unknown>): Parsed {
  if (outcome.issues === undefined) return { value: outcome.value };
  return { problems: outcome.issues.map(toProblem) };
}

function toProblem(issue: StandardIssue): Problem {
  const keys = (issue.path ?? []).map((part) => String(typeof part === "object" ? part.key : part));
  const path = keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { kind: "value", path, expected: issue.message, got: "a value that was refused" };
}
