import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { SourceProblem } from "../../../core/source.ts";
import type { Definition, HashedDefinition } from "../types/source-types.ts";
import { problemWithHeaders } from "./mirrored-headers.ts";
import { toolNameOf } from "./names.ts";

export interface ReadDefinitions {
  readonly definitions: readonly HashedDefinition[];
  readonly problems: readonly SourceProblem[];
}

/** A longer definition is refused: it would be stored, hashed, compiled and sent to models. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Reads the tools that a server lists, each separately: an unusable one does not affect the others. Never throws. `hasHeaders` is set
 * if parameters may be sent as headers, as over HTTP since 2026-07-28.
 */
export function readDefinitions(
  server: string,
  listed: readonly unknown[],
  hasHeaders = false,
): ReadDefinitions {
  const definitions: HashedDefinition[] = [];
  const problems: SourceProblem[] = [];
  const names = new Set<string>();
  for (const [index, one] of listed.entries()) {
    const { name, ...rest } = isObject(one) ? one : {};
    const subject = typeof name === "string" ? toolNameOf(server, name) : `tool ${index + 1} of ${server}`;
    const refuse = (reason: SourceProblem["reason"], message: string): void =>
      void problems.push({ source: `mcp:${server}`, subject, reason, message });
    if (typeof name !== "string" || name === "") refuse("bad_name", "it has no name");
    else if (names.has(name)) refuse("name_taken", `the server lists "${name}" twice`);
    else {
      names.add(name);
      const read = readOne(name, rest);
      const problem =
        typeof read === "string" ? read : hasHeaders && problemWithHeaders(read.definition.input);
      if (typeof read === "object" && typeof problem !== "string") definitions.push(read);
      else refuse("bad_schema", String(problem));
    }
  }
  return { definitions, problems };
}

function readOne(name: string, listed: JsonObject): HashedDefinition | string {
  const { description, inputSchema = {}, outputSchema, annotations, execution } = listed;
  const task =
    isObject(execution) && execution["taskSupport"] === "required" ? { needsTask: true as const } : {};
  const text = canonicalText([
    name,
    description ?? "",
    inputSchema,
    outputSchema ?? null,
    annotations ?? null,
    ...Object.keys(task),
  ]);
  if (text === undefined) return "its definition is nested too deeply";
  if (text.length > MAX_CHARACTERS) return "its definition is over 1 MB";
  if (!isObject(inputSchema)) return "its input schema is not an object";
  const { type = "object" } = inputSchema;
  if (type !== "object") return `its input schema is of type ${JSON.stringify(type)}, not object`;
  const definition: Definition = {
    name,
    description: typeof description === "string" ? description : "",
    input: inputSchema["type"] === type ? inputSchema : { type, ...inputSchema },
    // Some servers send null or an empty list for "none".
    ...(isObject(outputSchema) && { output: outputSchema }),
    ...(isObject(annotations) && { annotations }),
    ...task,
  };
  return { definition, hash: createHash("sha256").update(text).digest("hex") };
}

/** Returns the JSON of a value with sorted keys; undefined if it is nested too deeply. */
function canonicalText(value: Json): string | undefined {
  try {
    return JSON.stringify(value, (_key, part: Json) =>
      isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(byKey)) : part,
    );
  } catch {
    return undefined;
  }
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
