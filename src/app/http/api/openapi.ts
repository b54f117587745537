import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { defined } from "../../../util/json/defined.ts";
import type { Route } from "./routes.ts";

/** Returns the OpenAPI 3.1 document of the operations: the schemas in it are those that validate. */
export function toOpenApi(routes: Readonly<Record<string, Route>>, version: string): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of Object.entries(routes)) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = toOperation(name, route);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Toolwright",
      version,
      description: "The HTTP API of `toolwright serve`. Every request needs a token of the server.",
    },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "toolwright" },
      },
      schemas: { Error: ERROR },
    },
    security: [{ bearer: [] }, { cookie: [] }],
  };
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
        details: { type: "object" },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};

function toOperation(name: string, { path, summary, rights, query, body, answer, type }: Route): JsonObject {
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
      200: { description: "done", content: { [type ?? "application/json"]: { schema: answer } } },
      default: {
        description: "refused or failed",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
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
