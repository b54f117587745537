import { fromFlatSchema } from "../../schema/define/flat-schema.ts";
import {
  boolean,
  number,
  object,
  oneOf,
  optional,
  string,
  type Infer,
  type Schema,
} from "../../schema/define/schema.ts";
import { createDocumentParser } from "../../schema/parse-document.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { defined } from "../../util/json/defined.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import type { Problem } from "../runnable-names.ts";

/** The declaration of a program. It cannot set its risk, place or effects. */
export interface Declaration extends Pick<ToolSpec, "name" | "description" | "input" | "output"> {
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
  if (!NAME.test(name)) {
    const shown = JSON.stringify(name.slice(0, SHOWN_CHARACTERS));
    return problem("bad_name", `${shown} is not a valid tool name`, "use 1 to 64 letters, digits, _ and -");
  }
  const { parameters, input, inputSchema, input_schema } = document as JsonObject;
  const given = parameters ?? input ?? inputSchema ?? input_schema;
  const read = fromFlatSchema({ name, ...defined({ parameters: given }) });
  if ("problem" in read) return problem("bad_schema", read.problem);
  const declaredMs = seconds === undefined ? limits?.timeoutMs : seconds * 1000;
  const timeoutMs = declaredMs && Math.min(declaredMs, MAX_TIMEOUT_MS);
  return { declaration: { name, description, input: read.schema, ...defined({ output, timeoutMs }) } };
}

function problem(reason: Problem["reason"], message: string, hint?: string): Read {
  return { problem: { reason, message, ...defined({ hint }) } };
}
