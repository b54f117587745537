import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { asText } from "../../util/json/parse-json.ts";
import { resolveRef, type ApiDocument } from "./document.ts";
import type { Method, Operation } from "./operations.ts";
import { contentOf, fieldsOf, isJsonType, type FormField, type MediaContent } from "./media-content.ts";
import { styleOf, type Style } from "./styles.ts";
import { createSchemas, objectOf, typeOf } from "./to-schema.ts";

/** Where a value of the input goes. */
export interface Slot extends Style {
  /** The name of the tool's parameter. */
  readonly key: string;
  /** The name in the request. */
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie" | "body";
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
  /** The fields of a form that are not written as usual. */
  readonly fields?: Readonly<Record<string, FormField>>;
  readonly needsLogin: boolean;
};

const MAX_DESCRIPTION = 1000;

/** Returns an operation as a tool with one flat schema, as it is listed and pinned; its annotations are the plan of its request. */
export function toListed({ root }: ApiDocument, operation: Operation, server: string) {
  const { id, method, path, written, parameters, needsLogin } = operation;
  const schemas = createSchemas(root);
  const input = createInput();
  const slots = parameters.flatMap((one): readonly Slot[] => {
    const slot = slotOf(one);
    if (slot === undefined) return [];
    const schema = schemas.convert(one["schema"] ?? contentOf(one)?.schema);
    const described = describe(schema, one["description"]);
    return [
      {
        ...slot,
        key: input.add(slot.name, slot.in, described, slot.in === "path" || one["required"] === true),
      },
    ];
  });
  const ofBody = addBody(root, operation, input, schemas);
  const plan: RequestPlan = {
    method,
    server,
    path,
    needsLogin,
    ...ofBody,
    slots: [...slots, ...(ofBody.slots ?? [])],
  };
  const successes = successesOf(root, written["responses"]);
  return {
    name: id,
    description: descriptionOf(root, operation, successes[0]?.schema),
    inputSchema: input.schema(),
    ...outputOf(root, successes),
    annotations: plan as unknown as JsonObject,
  };
}

function descriptionOf(
  root: JsonObject,
  { method, path, written }: Operation,
  answer: Json | undefined,
): string {
  const { summary, description } = written;
  const texts = [...new Set([asText(summary).trim(), asText(description).trim()])];
  const text = texts
    .join("\n")
    .replaceAll(/<[^>]+>/g, "")
    .trim();
  const short = text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION).toWellFormed()}…`;
  const returns = answer === undefined ? "" : `Returns ${typeOf(root, answer)}`;
  return [`${method.toUpperCase()} ${path}`, short, returns].filter((line) => line !== "").join("\n");
}

/** Returns the schema against which answers are checked, if the document has exactly one for JSON. */
function outputOf(
  root: JsonObject,
  successes: readonly MediaContent[],
): { readonly outputSchema?: JsonObject } {
  const schemas = successes.flatMap(({ type, schema }) =>
    isJsonType(type) && isObject(schema) ? [schema] : [],
  );
  if (schemas.length !== 1) return {};
  const outputSchema = createSchemas(root, "output").convert(schemas[0]);
  return Object.keys(outputSchema).length === 0 ? {} : { outputSchema };
}

/** Returns the contents of successful answers, those with the lowest status first. */
function successesOf(root: JsonObject, responses: Json | undefined): readonly MediaContent[] {
  const byCode = isObject(responses) ? responses : {};
  const codes = Object.keys(byCode).filter((code) => code.startsWith("2"));
  return (codes.length > 0 ? codes : ["default"]).flatMap(
    (code) => contentOf(resolveRef(root, byCode[code]) ?? {}) ?? [],
  );
}

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
  const used = isObject(content) ? "json" : typeof style === "string" ? style : (STYLES[place] ?? "form");
  return { key: name, name, in: place, ...styleOf(used, explode) };
}

function describe(schema: JsonObject, description: Json | undefined): JsonObject {
  return typeof description === "string" && description !== "" ? { ...schema, description } : schema;
}

type Input = ReturnType<typeof createInput>;
type Schemas = ReturnType<typeof createSchemas>;

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

const FILE_NOTE = "a file: its text, or its bytes as data:TYPE;base64,…";

/** Adds the properties of a body, or the body as one parameter. */
function addBody(
  root: JsonObject,
  { method, written }: Operation,
  input: Input,
  schemas: Schemas,
): Partial<RequestPlan> {
  const body = resolveRef(root, written["requestBody"]) ?? {};
  const content = contentOf(body);
  if (content === undefined) return {};
  const { type: contentType } = content;
  const isRequired = body["required"] === true;
  const schema = schemas.convert(content.schema);
  const known = objectOf(schema);
  const fields = fieldsOf(root, content);
  const plan = { contentType, ...(Object.keys(fields).length > 0 && { fields }) };
  if (known === undefined) {
    // Documents have empty bodies for requests that have none.
    if (method === "get" || method === "head") return {};
    const description = schema["description"] ?? `The body of the request, ${contentType}`;
    return { ...plan, bodyKey: input.add("body", "request", describe(schema, description), isRequired) };
  }
  const slots = Object.entries(known.properties).map(([name, one]): Slot => {
    const text = [asText(one["description"]), FILE_NOTE].filter((part) => part !== "").join("; ");
    const described = fields[name]?.isFile === true ? describe(one, text) : one;
    const key = input.add(name, "body", described, isRequired && known.required.includes(name));
    return { key, name, in: "body", style: "json", explode: false };
  });
  return { ...plan, slots };
}

/** Returns the plan in a definition that was pinned. */
export function planOf(annotations: JsonObject | undefined): RequestPlan {
  return annotations as unknown as RequestPlan;
}
