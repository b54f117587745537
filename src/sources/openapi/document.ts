import { ToolError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { attempt } from "../../util/async/attempt.ts";

/** A document of OpenAPI 3.1, whatever version it was written in. */
export interface ApiDocument {
  readonly root: JsonObject;
  /** The address it was read from, for relative addresses of servers; undefined for a file. */
  readonly url: string | undefined;
}

/** Parses JSON or YAML of OpenAPI 3.0, 3.1 or Swagger 2.0. Throws INVALID_INPUT if it is none of these. */
export async function parseDocument(text: string, name: string, url?: string): Promise<ApiDocument> {
  // Loaded on use: the parser has YAML in it.
  const { normalize, upgrade } = await import("./parser.ts");
  try {
    const parsed = normalize(text) as Json | undefined;
    if (!isObject(parsed) || !isDocument(parsed))
      throw new ToolError("INVALID_INPUT", `${name} is not an OpenAPI document`, {
        hint: 'expected JSON or YAML with "openapi": "3.…" and "paths"',
      });
    const { specification } = upgrade(parsed);
    return { root: specification as unknown as JsonObject, url };
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError("INVALID_INPUT", `${name} cannot be parsed: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

function isDocument({ openapi, swagger, paths }: JsonObject): boolean {
  return isObject(paths) && (typeof openapi === "string" || swagger === "2.0");
}

/** Returns an object of the document, or what its `$ref` names; undefined if that is not in the document. */
export function resolveRef(root: JsonObject, node: Json | undefined): JsonObject | undefined {
  let target = node;
  for (let hops = 0; hops < 20; hops += 1) {
    if (!isObject(target)) return undefined;
    const { $ref: ref } = target;
    if (typeof ref !== "string") return target;
    target = atPointer(root, ref);
  }
  return undefined;
}

/** What each `$ref` of a document names: the same ones are resolved thousands of times. */
const resolved = new WeakMap<JsonObject, Map<string, Json | undefined>>();

function atPointer(root: JsonObject, ref: string): Json | undefined {
  const known = resolved.get(root) ?? new Map<string, Json | undefined>();
  resolved.set(root, known);
  if (!known.has(ref)) known.set(ref, findPointer(root, ref));
  return known.get(ref);
}

function findPointer(root: JsonObject, ref: string): Json | undefined {
  if (!ref.startsWith("#/")) return undefined;
  let node: Json | undefined = root;
  for (const part of ref.slice(2).split("/")) {
    const decoded = attempt(() => decodeURIComponent(part)) ?? part;
    const key = decoded.replaceAll("~1", "/").replaceAll("~0", "~");
    node =
      (isObject(node) || Array.isArray(node)) && Object.hasOwn(node, key)
        ? (node as JsonObject)[key]
        : undefined;
  }
  return node;
}
