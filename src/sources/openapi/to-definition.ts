import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { asText } from "../../util/json/parse-json.ts";
import { resolveRef, type ApiDocument } from "./document.ts";
import type { Method, Operation } from "./operations.ts";
import { createSchemas, objectOf, typeOf } from "./to-schema.ts";

/** Where a value of the input goes. */
export interface Slot {
  /** The name of the tool's parameter. */
  readonly key: string;
  /** The name in the request. */
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie" | "body";
  /** How lists and objects are written: see the styles of OpenAPI; `json` is JSON. */
  readonly style: string;
  readonly explode: boolean;
}

/** Everything that is needed to send the request of an operation. A type and not an interface, so that it counts as JSON. */
export type RequestPlan = {
  readonly method: Method;
  readonly server: string;
  readonly path: string;
  readonly slots: readonly Slot[];
  /** The type of the body; absent if there is none. */
  readonly contentType?: string;
  /** The parameter that is the whole body; absent if its properties are parameters of their own. */
  readonly bodyKey?: string;
  readonly needsLogin: boolean;
};

/** A tool as it is listed and pinned; its annotations are the plan of its request. */
export interface ListedOperation {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The schema of a successful answer, if the document has exactly one. */
  readonly outputSchema?: JsonObject;
  readonly annotations: JsonObject;
}

const MAX_DESCRIPTION = 1000;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/;

/** Returns an operation as a tool with one flat schema. */
export function toListed({ root }: ApiDocument, operation: Operation, server: string): ListedOperation {
  const { id, method, path, written, parameters, needsLogin } = operation;
  const schemas = createSchemas(root);
  const input = createInput();
  const slots = parameters.flatMap((one): readonly Slot[] => {
    const slot = slotOf(one);
    if (slot === undefined) return [];
    const schema = schemas.convert(one["schema"] ?? contentOf(one)?.[1]);
    const described = describe(schema, one["description"]);
    return [
      {
        ...slot,
        key: input.add(slot.name, slot.in, described, slot.in === "path" || one["required"] === true),
      },
    ];
  });
  const body = resolveRef(root, written["requestBody"]);
  const found = body === undefined ? undefined : contentOf(body);
  const ofBody =
    found === undefined ? {} : addBody(input, schemas.convert(found[1]), body?.["required"] === true);
  const plan: RequestPlan = {
    method,
    server,
    path,
    slots: [...slots, ...(ofBody.slots ?? [])],
    ...(found !== undefined && { contentType: found[0] }),
    ...(ofBody.bodyKey !== undefined && { bodyKey: ofBody.bodyKey }),
    needsLogin,
  };
  return {
    name: id,
    description: descriptionOf(root, operation),
    inputSchema: input.schema(),
    ...outputOf(root, written["responses"]),
    annotations: plan as unknown as JsonObject,
  };
}

function descriptionOf(root: JsonObject, { method, path, written }: Operation): string {
  const { summary, description } = written;
  const texts = [...new Set([asText(summary).trim(), asText(description).trim()])];
  const text = texts
    .join("\n")
    .replaceAll(/<[^>]+>/g, "")
    .trim();
  const short = text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION).toWellFormed()}…`;
  const returns = responseType(root, written["responses"]);
  return [`${method.toUpperCase()} ${path}`, short, returns].filter((line) => line !== "").join("\n");
}

function outputOf(root: JsonObject, responses: Json | undefined): Pick<ListedOperation, "outputSchema"> {
  const successes = Object.entries(isObject(responses) ? responses : {}).filter(([code]) =>
    code.startsWith("2"),
  );
  const [only, ...others] = successes.flatMap(([, response]) => {
    const [type = "", schema] = contentOf(resolveRef(root, response) ?? {}) ?? [];
    return JSON_TYPE.test(type) && isObject(schema) ? [schema] : [];
  });
  if (only === undefined || others.length > 0) return {};
  const outputSchema = createSchemas(root, "output").convert(only);
  return Object.keys(outputSchema).length === 0 ? {} : { outputSchema };
}

/** Returns the type of a successful answer. */
function responseType(root: JsonObject, responses: Json | undefined): string {
  const codes = isObject(responses)
    ? Object.keys(responses)
        .filter((code) => code.startsWith("2"))
        .toSorted()
    : [];
  const first = isObject(responses) ? resolveRef(root, responses[codes[0] ?? "default"]) : undefined;
  const found = first === undefined ? undefined : contentOf(first);
  return found?.[1] === undefined ? "" : `Returns ${typeOf(root, found[1])}`;
}

/** Returns the type and the schema of a content: JSON if there is JSON, else a form, else the first. */
function contentOf({ content }: JsonObject): readonly [string, Json | undefined] | undefined {
  const types = isObject(content) ? Object.entries(content) : [];
  const found =
    types.find(([type]) => JSON_TYPE.test(type)) ??
    types.find(([type]) => type === FORM || type === MULTIPART) ??
    types[0];
  return found === undefined ? undefined : [found[0], isObject(found[1]) ? found[1]["schema"] : undefined];
}

export const FORM = "application/x-www-form-urlencoded";
export const MULTIPART = "multipart/form-data";

const STYLES: Readonly<Record<string, string>> = {
  query: "form",
  cookie: "form",
  path: "simple",
  header: "simple",
};
/** Headers that a document must not let a model set. */
const OWN_HEADERS =
  /^(?:accept|content-type|authorization|cookie|host|content-length|connection|transfer-encoding)$/i;

function slotOf(parameter: JsonObject): Slot | undefined {
  const { name, in: place, style, explode, content } = parameter;
  if (typeof name !== "string") return undefined;
  if (place !== "path" && place !== "query" && place !== "header" && place !== "cookie") return undefined;
  if (place === "header" && OWN_HEADERS.test(name)) return undefined;
  const used = typeof style === "string" ? style : (STYLES[place] ?? "form");
  const isExploded = typeof explode === "boolean" ? explode : used === "form";
  return { key: name, name, in: place, style: isObject(content) ? "json" : used, explode: isExploded };
}

function describe(schema: JsonObject, description: Json | undefined): JsonObject {
  return typeof description === "string" && description !== "" ? { ...schema, description } : schema;
}

type Input = ReturnType<typeof createInput>;

/** Collects the parameters of a tool. A name that is taken, or that providers refuse, gets another. */
function createInput() {
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  return {
    add(name: string, place: string, schema: JsonObject, isRequired: boolean): string {
      const plain =
        name
          .replaceAll(/[^A-Za-z0-9_.-]+/g, "_")
          .replaceAll(/^_+|_+$/g, "")
          .slice(0, 56) || place;
      let key = Object.hasOwn(properties, plain) ? `${plain}_${place}` : plain;
      for (let count = 2; Object.hasOwn(properties, key); count += 1) key = `${plain}_${count}`;
      properties[key] = schema;
      if (isRequired) required.push(key);
      return key;
    },
    schema: (): JsonObject => ({
      type: "object",
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }),
  };
}

/** Adds the properties of a body, or the body as one parameter. */
function addBody(
  input: Input,
  schema: JsonObject,
  isRequired: boolean,
): { readonly slots?: readonly Slot[]; readonly bodyKey?: string } {
  const known = objectOf(schema);
  if (known === undefined)
    return {
      bodyKey: input.add(
        "body",
        "request",
        describe(schema, schema["description"] ?? "The body of the request"),
        isRequired,
      ),
    };
  const slots = Object.entries(known.properties).map(([name, one]): Slot => {
    const key = input.add(name, "body", one, isRequired && known.required.includes(name));
    return { key, name, in: "body", style: "json", explode: false };
  });
  return { slots };
}

/** Returns the plan in a definition that was pinned. */
export function planOf(annotations: JsonObject | undefined): RequestPlan {
  return annotations as unknown as RequestPlan;
}
