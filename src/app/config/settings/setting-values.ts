import type { JsonObject } from "../../../core/json.ts";
import {
  boolean,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
  type Schema,
} from "../../../schema/define/schema.ts";

/** A number of seconds that a call or a wait may take. */
export const seconds = (description?: string): Schema<number> => ({
  ...number(description, { max: 86_400 }),
  exclusiveMinimum: 0,
});

/** A folder that is the same wherever the program is started. */
export const folder = (description?: string): Schema<string> =>
  string(description, { pattern: "^(/|~(/|$))", expected: "an absolute path or one that begins with ~/" });

/** An object whose contents are checked elsewhere, or by nobody. */
export const anyObject: Schema<JsonObject> = { type: "object" };

/** A list of texts that are not empty. */
export const texts = (description?: string): Schema<readonly string[]> =>
  list(string(undefined, { min: 1 }), description);

/** A host with a scheme would silently match nothing. */
export const hosts = (description: string): Schema<readonly string[]> =>
  list(
    string(undefined, {
      pattern: "^(?!.*://).+$",
      expected: "a host, or *.example.com for its subdomains, without https://",
    }),
    description,
  );

export const amount = (description?: string): Schema<number> => number(description, { min: 0 });
export const count = (description?: string): Schema<number> => integer(description, { min: 1 });
export const aboveZero = (description: string): Schema<number> => ({
  ...number(description),
  exclusiveMinimum: 0,
});

export const address = (description: string): Schema<string> =>
  string(description, { pattern: "^https?://\\S+$", expected: "an http or https address" });
export const variable = (description: string): Schema<string> =>
  string(description, {
    pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
    expected: "the name of an environment variable",
  });

const EXTERNAL_TOOL = object({
  risk: optional(oneOf(["low", "medium", "high"])),
  effects: optional(oneOf(["none", "own-state", "idempotent", "unsafe"])),
  timeoutSeconds: optional(seconds("The deadline of a call")),
});

/** What the user configures for single external tools, by tool name. */
export const EXTERNAL_TOOLS = record(EXTERNAL_TOOL);

const MCP_CLIENT = object({
  structuredContent: optional(
    oneOf(
      ["given", "always", "never"],
      "given: of MCP servers as they sent it, of other tools if it holds the whole answer; always: of every tool; never: of none",
    ),
  ),
  maxResultBytes: optional(
    integer("Answers of MCP servers with more text than this are cut; default: passed on as they came", {
      min: 10_240,
    }),
  ),
  approvals: optional(
    oneOf(
      ["form", "queue"],
      "form: approvals are shown by the client and wait for toolwright approve, the first answer counts; queue: only toolwright approve answers",
    ),
  ),
});

/** What the user configures for one MCP client of the gateway. */
export const MCP_CLIENTS = record(MCP_CLIENT);

export const TELEMETRY = object({
  endpoint: optional(address("The address of a collector that takes OTLP over HTTP")),
  content: optional(boolean("True: spans have the inputs and answers of calls, masked and cut")),
});

/** A text that is no number stays a text, which the message about it then shows. */
export function toNumber(text: string): unknown {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? text : value;
}
