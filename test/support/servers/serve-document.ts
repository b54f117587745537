// A server with the operations of an OpenAPI document. It reads requests after the specification, without the code under test.
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { isObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import { startWebServer, type WebServer } from "./web-server.ts";

const METHODS = ["get", "head", "options", "post", "put", "patch", "delete"];

interface Route {
  readonly name: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly parameters: readonly JsonObject[];
}

/** What the server understood of a request: lists and objects of parameters are joined by commas; values of forms are texts, and lists in them objects. */
export interface Understood {
  /** Its method and the path of the document. */
  readonly operation: string;
  readonly parameters: readonly (readonly [place: string, name: string, value: string])[];
  readonly body: Json;
}

/** Serves a document below `/`; every answer to GET and others with a body is an `Understood`. */
export async function serveDocument(t: TestContext, document: JsonObject): Promise<WebServer> {
  const routes = routesOf(document);
  return startWebServer(t, (request, response) => {
    const answer = async (): Promise<void> => {
      const understood = await understand(routes, request);
      response
        .writeHead(understood === undefined ? 404 : 200, { "content-type": "application/json" })
        .end(JSON.stringify(understood ?? { missing: request.url }));
    };
    void answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
}

function routesOf(document: JsonObject): readonly Route[] {
  const resolved = (node: Json | undefined): JsonObject => {
    if (!isObject(node)) return {};
    if (typeof node["$ref"] !== "string") return node;
    const keys = node["$ref"].slice(2).split("/");
    const unescaped = keys.map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
    return resolved(
      unescaped.reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), document),
    );
  };
  const list = (value: Json | undefined): readonly JsonObject[] =>
    (Array.isArray(value) ? (value as readonly Json[]) : []).map((one) => {
      const parameter = resolved(one);
      return { ...parameter, schema: resolved(parameter["schema"]) };
    });
  return Object.entries(document["paths"] as JsonObject)
    .flatMap(([path, given]) => {
      const item = resolved(given);
      const parts = path.split(/\{([^}]+)\}/);
      const names = parts.filter((_, index) => index % 2 === 1);
      const texts = parts.map((part, index) =>
        index % 2 === 1 ? "([^/]*)" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
      );
      const pattern = new RegExp(`^${texts.join("")}$`);
      return METHODS.filter((method) => item[method] !== undefined).map((method) => {
        const own = list(resolved(item[method])["parameters"]);
        const shared = list(item["parameters"]);
        const parameters = [
          ...own,
          ...shared.filter(
            (one) => !own.some((other) => other["name"] === one["name"] && other["in"] === one["in"]),
          ),
        ];
        return { name: `${method} ${path}`, method, pattern, names, parameters };
      });
    })
    .toSorted((one, other) => one.names.length - other.names.length);
}

async function understand(
  routes: readonly Route[],
  request: IncomingMessage,
): Promise<Understood | undefined> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const method = (request.method ?? "").toLowerCase();
  const route = routes.find((one) => one.method === method && one.pattern.test(pathname));
  if (route === undefined) return undefined;
  const raw = new Map(
    route.names.map((name, index) => [name, route.pattern.exec(pathname)?.[index + 1] ?? ""]),
  );
  const cookies = new Map(
    (request.headers.cookie ?? "").split("; ").map((pair) => pair.split("=") as [string, string]),
  );
  const rest = new URLSearchParams(searchParams);
  const read = (parameter: JsonObject): string | undefined => {
    const { name, in: place } = parameter as { name: string; in: string };
    if (place === "path") return pathValue(parameter, raw.get(name));
    if (place === "header") return request.headers[name.toLowerCase()] as string | undefined;
    if (place === "cookie")
      return cookies.has(name) ? decodeURIComponent(cookies.get(name) ?? "") : undefined;
    return queryValue(parameter, rest);
  };
  // An object that is written as single parameters gets those that no other parameter has.
  const isSpread = ({ in: place, schema, style = "form", explode = true }: JsonObject): boolean =>
    place === "query" &&
    style === "form" &&
    explode === true &&
    isObject(schema) &&
    schema["type"] === "object";
  const parameters = route.parameters
    .toSorted((one, other) => Number(isSpread(one)) - Number(isSpread(other)))
    .flatMap((one) => {
      const value = isSpread(one) ? [...rest].flat().join(",") : read(one);
      return value === undefined || value === ""
        ? []
        : [[one["in"] as string, one["name"] as string, value] as const];
    });
  return { operation: route.name, parameters, body: await bodyOf(request) };
}

function pathValue({ name, style = "simple" }: JsonObject, given = ""): string {
  const value =
    style === "matrix"
      ? given.replace(`;${name as string}=`, "")
      : style === "label"
        ? given.slice(1)
        : given;
  return decodeURIComponent(value);
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

function queryValue(
  { name, style = "form", explode = style === "form" }: JsonObject,
  query: URLSearchParams,
): string | undefined {
  const key = name as string;
  const inside = [...query].filter(([one]) => one === key || one.startsWith(`${key}[`));
  const all = query.getAll(key);
  for (const one of style === "deepObject" ? inside.map(([found]) => found) : [key]) query.delete(one);
  if (style === "deepObject")
    return joined(nested(inside.map(([one, value]) => [`_${one.slice(key.length)}`, value]))["_"] ?? "");
  const values =
    explode === true ? all : all.map((value) => value.replaceAll(DELIMITERS[style as string] ?? ",", ","));
  return all.length === 0 ? undefined : values.join(",");
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const type = request.headers["content-type"] ?? "";
  const body = await text(request);
  if (/json/.test(type)) return JSON.parse(body) as Json;
  if (!/form/.test(type)) return body === "" ? null : body;
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  const names = [...new Set(form.keys())];
  const texts = await Promise.all(
    names.map((name) =>
      Promise.all(form.getAll(name).map(async (one) => (typeof one === "string" ? one : one.text()))),
    ),
  );
  return nested(names.map((name, index) => [name, texts[index]?.join(",") ?? ""]));
}

/** Returns texts and keys, joined by commas. */
function joined(value: Json): string {
  return isObject(value)
    ? Object.entries(value)
        .map(([key, one]) => `${key},${joined(one)}`)
        .join(",")
    : (value as string);
}

/** Returns the object of which `a[b][0]` are the values. */
function nested(pairs: readonly (readonly [string, string])[]): JsonObject {
  const root: Record<string, Json> = {};
  for (const [name, text] of pairs) {
    const keys = name.split(/\]?\[|\]$/).filter((key, index) => key !== "" || index === 0);
    let at = root;
    for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as Record<string, Json>;
    at[keys.at(-1) ?? ""] = text;
  }
  return root;
}
