import { ToolError } from "../core/errors.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { Problem } from "../core/result.ts";
import { copyJson } from "../util/json/copy-json.ts";
import type { Infer } from "./define/schema.ts";
import { childOf, keysOf } from "../json-schema/shared/pointer.ts";
import { createValidator } from "./validate.ts";

export interface ParseOptions {
  /** What messages call the document: a file, a flag, a setting. */
  readonly name?: string;
  /** Where the value stands in the document: `mode`, `servers.x`; places in messages begin there. */
  readonly place?: string;
  /** Fill the defaults of the schema; default: true. */
  readonly defaults?: boolean;
  /** Name only the types of wrong values, for documents that hold secrets; default: false. */
  readonly hideValues?: boolean;
}

/**
 * Returns a copy of `value` that fits the schema, typed by it: settings, rules, stored documents. Nothing is coerced.
 * Throws `INVALID_INPUT` with every problem, its place and what to write instead; `details.problems` has them as data:
 *
 *     const SERVERS = object({ mcpServers: record(object({ command: string() })) });
 *     parseDocument(SERVERS, JSON.parse(text), { name: "mcp.json" });
 *     // mcp.json: mcpServers.x.command: expected string, got integer 5
 *     // mcp.json: mcpServers.x: unknown key "comand"    hint: did you mean command?
 */
export function parseDocument<S extends JsonObject>(
  schema: S,
  value: unknown,
  options: ParseOptions = {},
): Infer<S> {
  return createDocumentParser(schema, options)(value);
}

/** Creates a `parseDocument` for many documents of one schema, which is compiled once. Each may have a name of its own. */
export function createDocumentParser<S extends JsonObject>(
  schema: S,
  { name, place = "", defaults = true, hideValues = false }: ParseOptions = {},
): (value: unknown, name?: string) => Infer<S> {
  // Defaults are filled after the check: a filled key would no longer be suggested for a misspelled one.
  const strict = createValidator(schema, { coerce: false, defaults: false });
  const filling = createValidator(schema, { coerce: false });
  return (value, own = name) => {
    const document = copyJson(value, "INVALID_INPUT");
    const checked = strict.check(document);
    if ("unusable" in checked)
      throw new Error(`the schema of ${own ?? "a document"} is unusable: ${checked.unusable}`);
    if (!checked.ok) {
      const problems = hideValues ? checked.problems.map(withoutValue) : checked.problems;
      throw toError(problems, document, { name: own, place, more: checked.more ?? 0 });
    }
    if (defaults) filling.check(document);
    return document as Infer<S>;
  };
}

function withoutValue({ schema: _schema, ...problem }: Problem): Problem {
  return {
    ...problem,
    got: problem.kind === "unknown" ? problem.got : (/^(?:empty )?\S*/.exec(problem.got)?.[0] ?? ""),
  };
}

function toError(
  problems: readonly Problem[],
  document: Json,
  { name, place: start, more }: { name: string | undefined; place: string; more: number },
): ToolError {
  const prefix = name === undefined ? "" : `${name}: `;
  const details = { problems: problems.map((problem) => ({ ...problem })) } as unknown as JsonObject;
  const [only] = problems;
  if (problems.length === 1 && only !== undefined) {
    const { message, hint } = describe(only, document, start);
    return new ToolError("INVALID_INPUT", `${prefix}${message}`, { details, hint });
  }
  const lines = problems.map((problem) => {
    const { message, hint } = describe(problem, document, start);
    return `\n- ${message}${hint === undefined ? "" : `; ${hint}`}`;
  });
  if (more > 0) lines.push(`\n- … and ${more} more`);
  return new ToolError("INVALID_INPUT", `${prefix}${problems.length + more} problems:${lines.join("")}`, {
    details,
  });
}

function describe(
  { kind, path, expected, got, near = [] }: Problem,
  document: Json,
  start: string,
): { readonly message: string; readonly hint: string | undefined } {
  const keys = keysOf(path) ?? [];
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : undefined;
  if (kind === "unknown") {
    const parent = placeOf(keys.slice(0, -1), document, start);
    const message = `${parent === "" ? "" : `${parent}: `}unknown key ${got}`;
    return { message, hint: hint ?? `expected ${expected}` };
  }
  const place = placeOf(keys, document, start) || "the document";
  const message =
    kind === "missing"
      ? `${place} is missing: expected ${expected}`
      : `${place}: expected ${expected}, got ${got}`;
  return { message, hint };
}

/** Returns the place as one would write it in code: `servers.x.args[0]`, `tools["my tool"]`. */
function placeOf(keys: readonly string[], document: Json, start: string): string {
  let place = start;
  let parent: Json | undefined = document;
  for (const key of keys) {
    if (Array.isArray(parent)) place += `[${key}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) place += place === "" ? key : `.${key}`;
    else place += `[${JSON.stringify(key)}]`;
    parent = childOf(parent, key);
  }
  return place;
}
