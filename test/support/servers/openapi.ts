import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { startWebServer } from "./web-server.ts";
import {
  createApiSource,
  type ApiSource,
  type ApiSourceOptions,
} from "../../../src/sources/openapi/source.ts";

interface Received {
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string };

/** A server that records requests and gives these answers, the last one for ever. */
export async function serveApi(t: TestContext, ...answers: readonly Answer[]) {
  const received: Received[] = [];
  const { port, origin } = await startWebServer(t, (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const {
        status = 200,
        headers = {},
        body: text = "{}",
      } = answers[received.length] ?? answers.at(-1) ?? {};
      received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
    });
  });
  return { port, origin, received };
}

/** Writes a document to a file and returns its path. */
export function specFile(t: TestContext, document: JsonObject | string, name = "openapi.json"): string {
  const file = join(temporaryFolder(t), name);
  writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document));
  return file;
}

type Given = Omit<ApiSourceOptions, "name" | "variables"> &
  Partial<ApiSourceOptions> & { readonly port?: number };

/** Opens a document as the API `pets`. */
export async function openApi(
  t: TestContext,
  { port = 1, ...options }: Given,
): Promise<{ engine: Engine; source: ApiSource }> {
  const web = { privateHosts: ["127.0.0.1"], ports: [port] };
  const source = createApiSource({ name: "pets", variables: {}, web, ...options });
  const engine = createEngine({ mode: "yolo" });
  t.after(() => engine.close());
  engine.sources.add(source);
  await engine.sources.settled();
  return { engine, source };
}

let calls = 0;
/** Runs an operation of the API `pets`. */
export const run = (engine: Engine, name: string, input: Json = {}) =>
  engine.run({ id: `c${(calls += 1)}`, name: `pets__${name}`, input }, { fence: false });

const PET = {
  type: "object",
  properties: { name: { type: "string" }, owner: { $ref: "#/components/schemas/Owner" } },
  required: ["name"],
};
const OWNER = {
  type: "object",
  properties: {
    id: { type: "integer", readOnly: true },
    pets: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
  },
};
/** An API with parameters of every kind, on a server at this address. */
export const petsApi = (url: string): JsonObject => ({
  openapi: "3.0.3",
  info: { title: "Pets", version: "1" },
  servers: [{ url: `${url}/{version}`, variables: { version: { default: "v2" } } }],
  security: [{ key: [] }],
  components: {
    schemas: { Pet: PET, Owner: OWNER },
    parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "string" } } },
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Pets-Key" } },
  },
  paths: {
    "/pets": {
      get: {
        operationId: "pets/list",
        summary: "Lists pets",
        tags: ["read"],
        parameters: [
          { name: "filter[kind]", in: "query", schema: { type: "array", items: { type: "string" } } },
          { name: "page", in: "query", schema: { type: "integer" } },
          { name: "by", in: "query", style: "deepObject", explode: true, schema: { type: "object" } },
          { name: "X-Trace", in: "header", schema: { type: "string" } },
          { name: "Authorization", in: "header", schema: { type: "string" } },
          { name: "seen", in: "cookie", schema: { type: "boolean" } },
        ],
        responses: {
          200: {
            content: {
              "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Pet" } } },
            },
          },
        },
      },
      post: {
        operationId: "pets/create",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
        },
        responses: { 201: { description: "made" } },
      },
    },
    "/pets/{id}": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      put: {
        operationId: "pets/replace",
        requestBody: {
          content: {
            "application/json": {
              schema: {
                allOf: [
                  { $ref: "#/components/schemas/Pet" },
                  { type: "object", properties: { id: { type: "integer" } } },
                ],
              },
            },
          },
        },
        responses: { 200: { description: "done" } },
      },
      delete: { tags: ["danger"], responses: { 204: { description: "gone" } } },
    },
    "/import": {
      post: {
        operationId: "import",
        security: [],
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: {
                type: "object",
                properties: { names: { type: "array", items: { type: "string" } }, dry: { type: "boolean" } },
              },
            },
          },
        },
        responses: { 200: { description: "done" } },
      },
    },
    "/lines": {
      post: {
        operationId: "lines",
        requestBody: { required: true, content: { "text/plain": { schema: { type: "string" } } } },
        responses: {},
      },
    },
  },
});
