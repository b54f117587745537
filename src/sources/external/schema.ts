import { fromFlatSchema } from "./flat-schema.ts";
import {
  boolean,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
  type Infer,
  type Schema,
} from "../../schema/define/schema.ts";
import { createDocumentParser } from "../../schema/parse-document.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { defined } from "../../util/json/defined.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import type { Problem } from "../runnable-names.ts";

/** The declaration of a program. It cannot set its risk, place or effects. */
export interface Declaration
  extends Pick<ToolSpec, "name" | "description" | "input" | "output">, Pick<Tool, "parameterAliases"> {
  readonly timeoutMs?: number;
}

type Read = { readonly declaration: Declaration } | { readonly problem: Problem };

/** Names that every provider accepts. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_TIMEOUT_MS = 3_600_000;
const SHOWN_CHARACTERS = 80;

const DURATION: Schema<number> = { ...number(), exclusiveMinimum: 0 };
/** Other keys belong to other programs. */
const open = <T>(schema: Schema<T>): Schema<T> => ({ ...schema, additionalProperties: true });
const DECLARED = open(
  object({
    name: string(),
    description: optional(string()),
    parameter_aliases: optional(record(string())),
    output: optional(oneOf([boolean(), { type: "object" } as Schema<JsonObject>])),
    timeout_seconds: optional(DURATION),
    limits: optional(open(object({ timeoutMs: optional(DURATION) }))),
  }),
);
const parseDeclared = createDocumentParser(DECLARED, { name: "its schema", defaults: false });

/**
 * Reads the schema that a program printed: `name`, `description` and its parameters, flat or as standard JSON Schema, under
 * `parameters`, `input`, `inputSchema` or `input_schema`. Never throws.
 */
export function readSchema(text: string): Read {
  const document = parseJson(text);
  if (document === undefined) {
    const start = JSON.stringify(text.trim().slice(0, SHOWN_CHARACTERS));
    return problem("not_json", text.trim() === "" ? "it printed nothing for --schema" : `not JSON: ${start}`);
  }
  try {
    return readDocument(parseDeclared(document));
  } catch (error) {
    return problem("bad_schema", errorMessage(error));
  }
}

function readDocument(document: Infer<typeof DECLARED>): Read {
  const { name, description = "", output, timeout_seconds: seconds, limits } = document;
  const { parameter_aliases: parameterAliases } = document;
  if (!NAME.test(name)) {
    const quotedName = JSON.stringify(name.slice(0, SHOWN_CHARACTERS));
    return problem(
      "bad_name",
      `${quotedName} is not a valid tool name`,
      "use 1 to 64 letters, digits, _ and -",
    );
  }
  const { parameters, input, inputSchema, input_schema } = document as JsonObject;
  const declared = parameters ?? input ?? inputSchema ?? input_schema;
  const read = fromFlatSchema({ name, ...defined({ parameters: declared }) });
  if ("problem" in read) return problem("bad_schema", read.problem);
  const wrong = wrongAlias(parameterAliases, read.schema);
  if (wrong !== undefined) return problem("bad_schema", wrong);
  const declaredMs = seconds === undefined ? limits?.timeoutMs : seconds * 1000;
  const timeoutMs = declaredMs && Math.min(declaredMs, MAX_TIMEOUT_MS);
  const options = defined({ output, timeoutMs, parameterAliases });
  return { declaration: { name, description, input: read.schema, ...options } };
}

/** Returns what is wrong with the aliases: each leads to a parameter, and is none itself. */
function wrongAlias(aliases: Readonly<Record<string, string>> = {}, schema: JsonObject): string | undefined {
  const parameters = isObject(schema["properties"]) ? schema["properties"] : {};
  const isRight = ([alias, target]: readonly [string, string]): boolean =>
    Object.hasOwn(parameters, target) && !Object.hasOwn(parameters, alias);
  const wrong = Object.entries(aliases).find((entry) => !isRight(entry));
  if (wrong === undefined) return undefined;
  const [alias, target] = wrong;
  return Object.hasOwn(parameters, alias)
    ? `parameter_aliases: ${alias} is a parameter itself`
    : `parameter_aliases: ${alias} stands for ${target}, which is no parameter`;
}

function problem(reason: Problem["reason"], message: string, hint?: string): Read {
  return { problem: { reason, message, ...defined({ hint }) } };
}
