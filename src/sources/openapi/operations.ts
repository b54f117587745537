import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { resolveRef, type ApiDocument } from "./document.ts";

export const METHODS = ["get", "head", "options", "post", "put", "patch", "delete"] as const;
export type Method = (typeof METHODS)[number];

/** One operation of a document. */
export interface Operation {
  /** Its `operationId`, or its method and path; no other operation has it. */
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly tags: readonly string[];
  readonly written: JsonObject;
  /** Its own and those of its path, resolved. */
  readonly parameters: readonly JsonObject[];
  /** The address of its server; undefined if the document names none. */
  readonly server: string | undefined;
  /** False if the document says that it needs no login. */
  readonly needsLogin: boolean;
}

/** Returns all operations, in the order of the document. */
export function listOperations(document: ApiDocument): readonly Operation[] {
  const { root } = document;
  const ids = new Set<string>();
  const paths = isObject(root["paths"]) ? Object.entries(root["paths"]) : [];
  return paths.flatMap(([path, given]) => {
    const item = resolveRef(root, given);
    if (item === undefined) return [];
    return METHODS.flatMap((method): readonly Operation[] => {
      const operation = resolveRef(root, item[method]);
      if (operation === undefined) return [];
      return [
        toOperation(document, {
          method,
          path,
          written: operation,
          item,
          id: uniqueId(operation, method, path, ids),
        }),
      ];
    });
  });
}

type Found = Pick<Operation, "id" | "method" | "path" | "written"> & { readonly item: JsonObject };

function toOperation(document: ApiDocument, { item, ...found }: Found): Operation {
  const { root } = document;
  const { written } = found;
  const resolved = (list: Json | undefined): readonly JsonObject[] =>
    listOf(list)
      .map((one) => resolveRef(root, one))
      .filter((one) => one !== undefined);
  const [own, shared] = [resolved(written["parameters"]), resolved(item["parameters"])];
  const isReplaced = (one: JsonObject): boolean =>
    own.some((other) => other["name"] === one["name"] && other["in"] === one["in"]);
  const security = written["security"] ?? root["security"];
  return {
    ...found,
    tags: listOf(written["tags"]).flatMap((tag) => (typeof tag === "string" ? [tag] : [])),
    parameters: [...shared.filter((one) => !isReplaced(one)), ...own],
    server: serverOf(document, written["servers"] ?? item["servers"] ?? root["servers"]),
    needsLogin: !(Array.isArray(security) && security.length === 0),
  };
}

/** Names an operation without an id after its method and path; of two with one id, the second after its place as well. */
function uniqueId({ operationId }: JsonObject, method: Method, path: string, ids: Set<string>): string {
  const named = typeof operationId === "string" && operationId !== "" ? operationId : `${method}${path}`;
  const plain = named.replaceAll(/[^A-Za-z0-9_-]+/g, "_").replaceAll(/^_+|_+$/g, "") || method;
  let id = plain;
  for (let count = 2; ids.has(id); count += 1) id = `${plain}_${count}`;
  ids.add(id);
  return id;
}

/** Returns the first server, with the defaults of its variables. */
function serverOf({ url: base }: ApiDocument, servers: Json | undefined): string | undefined {
  const [first] = listOf(servers);
  const { url, variables } = isObject(first) ? first : {};
  if (typeof url !== "string") return undefined;
  const filled = url.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable) && typeof variable["default"] === "string" ? variable["default"] : whole;
  });
  return URL.parse(filled, base)?.href;
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
