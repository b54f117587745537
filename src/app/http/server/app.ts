import type { Context, Hono, MiddlewareHandler } from "hono";
import type { HttpBindings } from "@hono/node-server";
import { ERROR_CODES, ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { hasRight, missingRight, type Right } from "../../config/access/http-tokens.ts";
import type { Caller } from "../../host/people/caller.ts";
import { createDocumentParser } from "../../../schema/parse-document.ts";
import { defined } from "../../../util/json/defined.ts";
import { toFault } from "../../../util/json/fault.ts";
import { Refusal, REFUSED } from "../api/refusal.ts";
import { ROUTES, type Route, type Handlers } from "../api/routes.ts";
import { MAX_BODY } from "../../gateway/http/admission.ts";
import { toOpenApi } from "../api/openapi.ts";
import { packageVersion } from "../../../system/package-files.ts";

interface Env {
  readonly Bindings: HttpBindings;
  readonly Variables: { readonly caller: Caller };
}

export type App = Hono<Env>;

/** Refuses requests whose caller has none of the rights, before they have any effect. */
export function needs(...rights: readonly Right[]): MiddlewareHandler<Env> {
  return async (context, next) => {
    const caller = context.get("caller");
    if (hasRight(caller.rights, rights)) return next();
    return errorResponse(403, { code: "DENIED", message: missingRight(rights, caller.subject?.id) });
  };
}

type AnyHandler = (given: unknown) => unknown;

/** Adds the operations that have a handler, and their document. What is no operation is answered so. */
export function addApi(app: App, handlers: Partial<Handlers>, others: Readonly<Record<string, Route>>): void {
  const routes = Object.fromEntries(Object.entries(ROUTES).filter(([name]) => Object.hasOwn(handlers, name)));
  addRoutes(app, routes, handlers);
  let document: ReturnType<typeof toOpenApi> | undefined;
  app.get("/api/openapi.json", (context) => {
    document ??= toOpenApi({ ...routes, ...others }, packageVersion());
    return context.json(document);
  });
  addUnknown(app, routes);
}

/** Adds operations. A request is validated by the schemas of its operation before its handler runs. */
function addRoutes(app: App, routes: Readonly<Record<string, Route>>, handlers: Partial<Handlers>): void {
  for (const [name, route] of Object.entries(routes)) {
    const handle = handlers[name as keyof Handlers] as unknown as AnyHandler;
    const parseQuery = route.query && createDocumentParser(route.query, { name: "the query" });
    const parseBody = route.body && createDocumentParser(route.body, { name: "the body" });
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app.on(route.method, [path], needs(...route.rights), async (context: Context<Env>) => {
      const query = parseQuery?.(readQuery(context.req.query(), route.query));
      const body = parseBody?.(await readBody(context.req.raw));
      const [request, caller] = [context.req.raw, context.get("caller")];
      const answer = await handle({ params: context.req.param(), query, body, request, caller });
      return answer instanceof Response ? answer : context.json(answer as JsonObject);
    });
  }
}

/** Returns the error as a response whose message names what is wrong. */
export function toResponse(error: unknown): Response {
  if (error instanceof Refusal)
    return errorResponse(REFUSED[error.code], {
      code: error.code,
      message: error.message,
      ...defined({ hint: error.hint }),
    });
  const { code, message, hint, details } = toFault(error);
  const status = error instanceof TooLong ? 413 : (STATUS[code] ?? ERROR_CODES[code].httpStatus);
  return errorResponse(status, { code, message, ...defined({ hint, details }) });
}

/** A wrong request is 400; 422 is for the input of a tool. */
const STATUS: Readonly<Record<string, number>> = { INVALID_INPUT: 400 };

class TooLong extends ToolError {}

export function errorResponse(status: number, error: JsonObject): Response {
  const headers = status === 503 ? { "retry-after": "1" } : undefined;
  return Response.json({ error }, { status, ...defined({ headers }) });
}

/** Answers requests under /api that are no operation: 405 if the path has others, else 404. */
function addUnknown(app: App, routes: Readonly<Record<string, Route>>): void {
  const methods = Map.groupBy(Object.values(routes), ({ path }) => path);
  for (const [path, ofPath] of methods) {
    const allow = ofPath.map(({ method }) => method).join(", ");
    app.all(path.replaceAll(/\{(\w+)\}/g, ":$1"), ({ req }) => {
      const message = `${req.path} has no operation ${req.method}; expected ${allow}`;
      const refused = errorResponse(405, { code: "METHOD_NOT_ALLOWED", message });
      refused.headers.set("allow", allow);
      return refused;
    });
  }
  app.all("/api/*", ({ req }) =>
    errorResponse(404, {
      code: "NOT_FOUND",
      message: `no operation ${req.method} ${req.path}`,
      hint: "GET /api/openapi.json lists the operations",
    }),
  );
}

/** Reads the values of a query by the types of its schema; a value that does not fit stays text, and is refused by name. */
function readQuery(given: Readonly<Record<string, string>>, schema: JsonObject | undefined): JsonObject {
  const properties = isObject(schema?.["properties"]) ? schema["properties"] : {};
  const typeOf = (name: string): Json | undefined => {
    const property = properties[name];
    return isObject(property) ? property["type"] : undefined;
  };
  const entries = Object.entries(given).filter(([name]) => name !== "token" || "token" in properties);
  return Object.fromEntries(entries.map(([name, text]) => [name, toValue(text, typeOf(name))]));
}

function toValue(text: string, type: Json | undefined): Json {
  if ((type === "integer" || type === "number") && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Reads JSON of a limited length. Throws `INVALID_INPUT` for anything else. */
export async function readBody(request: Request): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request.body ?? []) {
    size += piece.length;
    // Read to its end: a client that is still writing when the connection closes gets no answer.
    if (size <= MAX_BODY) pieces.push(piece);
  }
  if (size > MAX_BODY) throw new TooLong("INVALID_INPUT", `the body is longer than ${MAX_BODY} bytes`);
  const text = Buffer.concat(pieces).toString("utf8");
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", "the body is not JSON", { cause });
  }
}
