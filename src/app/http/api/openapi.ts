import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { defined } from "../../../util/json/defined.ts";
import * as approvals from "./approval-shapes.ts";
import * as calls from "./call-shapes.ts";
import * as chat from "./chat-shapes.ts";
import { Fleet } from "./fleet-shape.ts";
import * as host from "./host-shapes.ts";
import * as sessions from "./session-shapes.ts";
import * as tools from "./tool-shapes.ts";
import type { Route } from "./routes.ts";

/** Schemas that have a name in the document: a generated client has a type for each. */
const NAMED: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  Object.entries({ ...calls, ...tools, ...approvals, ...chat, ...host, Fleet, ...sessions } as Readonly<
    Record<string, JsonObject>
  >).map(([name, schema]) => [name.replace(/(?:Shape|Row)$/, ""), schema]),
);

/** Returns the OpenAPI 3.1 document of the operations: the schemas in it are those that validate. */
export function toOpenApi(routes: Readonly<Record<string, Route>>, version: string): JsonObject {
  const { refer, schemas } = createNames();
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of Object.entries(routes)) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = refer(toOperation(name, route));
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Toolwright",
      version,
      description: "The HTTP API of `toolwright serve`. Every request needs a token of the server.",
    },
    servers: [{ url: "/", description: "the server that has this document" }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "toolwright" },
      },
      schemas: { Error: ERROR, ...schemas },
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, description]) => [`Refused${status}`, refused(description)]),
      ),
    },
    security: [{ bearer: [] }, { cookie: [] }],
  };
}

/** Creates the references to named schemas; `schemas` has those that were referred to. */
function createNames() {
  const names = new Map(Object.entries(NAMED).map(([name, schema]) => [JSON.stringify(schema), name]));
  const schemas: Record<string, Json> = {};
  const refer = (value: Json): Json => {
    if (Array.isArray(value)) return value.map((item) => refer(item as Json));
    if (!isObject(value)) return value;
    const name = names.get(JSON.stringify(value));
    if (name === undefined) return spelledOut(value);
    if (!(name in schemas)) {
      schemas[name] = {};
      schemas[name] = spelledOut(value);
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const spelledOut = (value: JsonObject): Json =>
    Object.fromEntries(Object.entries(withoutDefault(value)).map(([key, item]) => [key, refer(item)]));
  return { refer, schemas };
}

/** Generators of clients take a field with a default as always present, in requests too: the default is in the description. */
function withoutDefault(value: JsonObject): JsonObject {
  const { default: fallback, ...schema } = value;
  // An operation has a default response too.
  if (fallback === undefined || !("type" in schema || "anyOf" in schema || "enum" in schema)) return value;
  const known = typeof schema["description"] === "string" ? `${schema["description"]}; ` : "";
  return { ...schema, description: `${known}default: ${JSON.stringify(fallback)}` };
}

/** What a request can be refused with. */
const REFUSALS = {
  400: "a field of the request is wrong; the message names it",
  401: "the token is missing or wrong",
  403: "the token does not have the right",
  404: "nothing has this id or name",
  409: "the request came too late: the thing has changed",
  413: "the body is too long",
  422: "the input does not fit the schema of the tool",
  429: "too many requests; Retry-After says when to try again",
  503: "the server is busy or ends; Retry-After says when to try again",
} as const;

const ERROR_REFERENCE: JsonObject = { $ref: "#/components/schemas/Error" };

function refused(description: string, schema = ERROR_REFERENCE): JsonObject {
  return { description, content: { "application/json": { schema } } };
}

/** Returns the answers with a status of 400 or more. An operation that runs a tool answers with the result of a call that failed. */
function failuresOf(route: Route): JsonObject {
  const isRun = route.refusals?.includes(422) === true;
  const failed = isRun ? { anyOf: [route.answers?.done ?? route.answer, ERROR_REFERENCE] } : ERROR_REFERENCE;
  const rows = refusalsOf(route).map((status) => [
    status,
    isRun && status !== 401 && status !== 403
      ? refused(REFUSALS[status], failed)
      : { $ref: `#/components/responses/Refused${status}` },
  ]);
  return Object.fromEntries([...rows, ["default", refused("refused or failed", failed)]]) as JsonObject;
}

/** Returns the statuses with which an operation can refuse a request. */
function refusalsOf({ path, query, body, refusals = [] }: Route): readonly (keyof typeof REFUSALS)[] {
  const statuses = new Set<keyof typeof REFUSALS>([401, 403, 429, 503, ...refusals]);
  if (query !== undefined || body !== undefined) statuses.add(400);
  if (body !== undefined) statuses.add(413);
  if (path.includes("{")) statuses.add(404);
  return [...statuses].toSorted((left, right) => left - right);
}

const ERROR: JsonObject = {
  type: "object",
  description: "a refused or failed request",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string" },
        message: { type: "string", description: "names the field that is wrong" },
        hint: { type: "string", description: "what to do about it" },
        details: { type: "object", additionalProperties: true },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};

function toOperation(name: string, route: Route): JsonObject {
  const { path, summary, rights, query, body, answer, answers, type = "application/json" } = route;
  const inPath = namesIn(path).map((parameter) =>
    toParameter(parameter, "path", { type: "string" }, { required: true }),
  );
  const required = listed(query?.["required"]);
  const inQuery = Object.entries(propertiesOf(query)).map(([parameter, schema]) =>
    toParameter(parameter, "query", schema, { required: required.includes(parameter) }),
  );
  const parameters = [...inPath, ...inQuery];
  return {
    operationId: name,
    summary,
    description: `For tokens that may: ${rights.join(" or ")}.`,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: body } } },
    }),
    responses: {
      200: { description: "done", content: { [type]: { schema: answers?.done ?? answer } } },
      ...(answers !== undefined && {
        202: { description: "begun", content: { [type]: { schema: answers.accepted } } },
      }),
      ...failuresOf(route),
    },
  };
}

/** Returns the names in braces. */
function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function toParameter(
  name: string,
  place: "path" | "query",
  schema: Json,
  { required }: { readonly required: boolean },
): JsonObject {
  const description = isObject(schema) ? schema["description"] : undefined;
  return { name, in: place, required, ...defined({ description }), schema };
}

function propertiesOf(schema: JsonObject | undefined): JsonObject {
  const properties = schema?.["properties"];
  return isObject(properties) ? properties : {};
}

function listed(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
