import { createHmac, createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import { createSecureContext } from "node:tls";
import { ToolError } from "../../core/errors.ts";
import { packageVersion } from "../../system/package-files.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { createAdmission } from "../gateway/http/admission.ts";
import { createGuard, isLoopback, reachedAt } from "../gateway/http/http-guard.ts";
import type { HttpTokens } from "../gateway/http/http-token.ts";
import {
  createMcpDoors,
  createUnanswered,
  listening,
  type ServedHttp,
  type ServeHttpOptions,
} from "../gateway/http/serve-http.ts";
import type { GatewayHost } from "../gateway/open-gateway.ts";
import { OTHER_ROUTES } from "./api/other-routes.ts";
import { ROUTES } from "./api/routes.ts";
import { callHandlers } from "./handlers/calls.ts";
import { fleetHandlers } from "./handlers/fleet.ts";
import { hostHandlers, sandboxHandlers, toolHandlers } from "./handlers/host.ts";
import { policyHandlers } from "./handlers/policy.ts";
import { chatHandlers, sessionHandlers } from "./handlers/sessions.ts";
import { sourceHandlers } from "./handlers/sources.ts";
import { toOpenApi } from "./api/openapi.ts";
import { addRoutes, errorResponse, needs, readBody, toResponse, type App } from "./server/app.ts";
import { loadCrypto } from "../../system/crypto.ts";
import type { TokenName } from "../config/http-tokens.ts";
import { SAFE_HEADERS, consoleFile } from "./server/console-files.ts";
import { execute } from "./server/execute.ts";
import { loginPage } from "./server/login-page.ts";
import { createMetrics } from "./server/metrics.ts";
import { createServed, type OpenServed } from "./server/create-served.ts";

export interface ServeOptions extends Omit<ServeHttpOptions, "open"> {
  /** Files in PEM form. Without it, a host that other machines can reach needs `isOnNetwork`. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly open: () => Promise<GatewayHost>;
  readonly warnings: string[];
}

/** Serves the console, the API, `/mcp`, `/execute` and `/metrics`. Rejects, before anything is opened, an address that would send the token unencrypted. */
export async function serve(options: ServeOptions): Promise<ServedHttp> {
  const { host, port, tls: files, tokens, ceilings, open, print } = options;
  if (!isLoopback(host) && files === undefined && !options.isOnNetwork)
    throw new ToolError(
      "INVALID_INPUT",
      `${host} can be reached by other machines on the network, without encryption`,
      {
        hint: "add --cert and --key for TLS, or --network to serve it unencrypted: everyone who has the token can run tools on this machine",
      },
    );
  const tls = files === undefined ? undefined : readTls(files);
  const [node, { Hono }] = await Promise.all([import("@hono/node-server"), import("hono")]);
  const { createServer } = await import("node:https");
  const opened = await open();
  const mcp = await createMcpDoors(opened.gateway, ceilings, print);
  const app: App = new Hono();
  const secure = tls === undefined ? {} : { createServer, serverOptions: tls };
  const server = node.serve({ fetch: app.fetch, hostname: host, port, ...secure }) as HttpServer;
  const bound = await listening(server, host, port).catch(async (error: unknown) => {
    await opened.gateway.close();
    await opened.host.close();
    throw error;
  });
  // In the same turn in which the port is known: no request has been read yet.
  const served = createServed(opened, options);
  const ending = new AbortController();
  const unanswered = createUnanswered();
  const admission = createAdmission();
  const name = `toolwright-${bound}`;
  const cookie = { name, values: cookieValues(name, tokens) };
  addAccess(app, { tokens, host, port: bound, isSecure: tls !== undefined, cookie });
  app.use(async (context, next) => {
    const { outgoing } = context.env;
    if (context.req.method !== "GET") unanswered.add(outgoing);
    context.res = await admission.admit(context.req.raw, outgoing, async () => {
      await next();
      return context.res;
    });
  });
  addOperations(app, served, ending.signal);
  app.all("/mcp", needs("call"), (context) => mcp.fetch(context.req.raw, context.get("token")));
  app.get("*", (context) => consoleFile(new URL(context.req.url).pathname));
  app.all("*", () => errorResponse(405, { code: "METHOD_NOT_ALLOWED", message: "no such operation" }));
  await served.ready;
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    opened.gateway.stop();
    await served.stop();
    ending.abort();
    await unanswered.none();
    await mcp.close();
    server.closeAllConnections();
    await closed;
    await opened.gateway.close();
    await opened.host.close();
  };
  const address = `${tls === undefined ? "http" : "https"}://${reachedAt(host)}:${bound}/?token=${tokens.admin}`;
  return { address, close, [Symbol.asyncDispose]: close };
}

/** Returns what a cookie has in place of each token: it stays valid when the server restarts, and the token cannot be computed from it. */
function cookieValues(name: string, tokens: HttpTokens): HttpTokens {
  const valueOf = (token: TokenName): string =>
    createHmac("sha256", tokens[token]).update(`console cookie ${name}`).digest("base64url");
  return {
    read: valueOf("read"),
    call: valueOf("call"),
    approve: valueOf("approve"),
    admin: valueOf("admin"),
  };
}

/** Throws unless the files are a certificate and its key in PEM form. */
function readTls(files: NonNullable<ServeOptions["tls"]>) {
  const read = (flag: "cert" | "key"): Buffer => {
    try {
      const pem = readFileSync(files[flag]);
      createSecureContext({ [flag]: pem });
      return pem;
    } catch (cause) {
      throw new ToolError("INVALID_INPUT", `--${flag}: cannot read ${files[flag]}: ${errorMessage(cause)}`, {
        hint: `expected the ${flag === "cert" ? "certificate" : "private key, without a passphrase,"} in PEM form`,
        cause,
      });
    }
  };
  const [cert, key] = [read("cert"), read("key")];
  const { X509Certificate } = loadCrypto();
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new ToolError(
      "INVALID_INPUT",
      `--key: ${files.key} is not the key of the certificate ${files.cert}`,
    );
  return { cert, key };
}

type Access = Parameters<typeof createGuard>[0] & {
  readonly cookie: { readonly name: string; readonly values: HttpTokens };
};

/** Refuses requests without the token, of other hosts and of other pages. The first visit with the token sets the cookie of the page. */
function addAccess(app: App, access: Access): void {
  const guard = createGuard(access);
  const { name, values } = access.cookie;
  const attributes = `Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Strict${access.isSecure === true ? "; Secure" : ""}`;
  app.use(async (context, next) => {
    const admitted = guard(context.req.raw);
    const { searchParams, pathname } = new URL(context.req.url);
    const isVisit = context.req.method === "GET" && pathname === "/" && searchParams.has("token");
    if ("status" in admitted) context.res = refuse(admitted, context.req.raw);
    else if (isVisit) {
      const setCookie = `${name}=${values[admitted.token]}; ${attributes}`;
      context.res = new Response(null, { status: 303, headers: { location: "/", "set-cookie": setCookie } });
    } else {
      context.set("token", admitted.token);
      await next();
    }
    for (const [header, text] of Object.entries(SAFE_HEADERS))
      if (!context.res.headers.has(header)) context.res.headers.set(header, text);
  });
  app.onError((error) => toResponse(error));
}

function refuse(
  { status, reason }: { readonly status: number; readonly reason: string },
  { url }: Request,
): Response {
  const code = status === 401 ? "UNAUTHORIZED" : "DENIED";
  const { pathname, searchParams } = new URL(url);
  if (status === 401 && !/^\/(?:api|mcp|execute|metrics)\b/.test(pathname))
    return loginPage({ isWrong: searchParams.has("token") });
  const response = errorResponse(status, { code, message: reason });
  if (status === 401) response.headers.set("www-authenticate", "Bearer");
  return response;
}

/** How long a browser stays logged in. */
const COOKIE_SECONDS = 30 * 24 * 3600;

/** Adds the API, its document, `/execute` and `/metrics`. */
function addOperations(app: App, served: OpenServed, ended: AbortSignal): void {
  const metrics = createMetrics(served);
  addRoutes(app, {
    ...callHandlers(served),
    ...fleetHandlers(served),
    ...hostHandlers(served, ended),
    ...policyHandlers(served),
    ...sourceHandlers(served),
    ...toolHandlers(served),
    ...sandboxHandlers(served),
    ...sessionHandlers(served),
    ...chatHandlers(served),
  });
  let document: ReturnType<typeof toOpenApi> | undefined;
  app.get("/api/openapi.json", (context) => {
    document ??= toOpenApi({ ...ROUTES, ...OTHER_ROUTES }, packageVersion());
    return context.json(document);
  });
  addUnknown(app);
  app.post("/execute", needs("call"), async (context) =>
    execute(served, context.req.raw, await readBody(context.req.raw)),
  );
  app.get("/metrics", needs("read"), async () => {
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    return new Response(await metrics(), { headers });
  });
}

/** Answers requests under /api that are no operation: 405 if the path has others, else 404. */
function addUnknown(app: App): void {
  const methods = Map.groupBy(Object.values(ROUTES), ({ path }) => path);
  for (const [path, routes] of methods) {
    const allow = routes.map(({ method }) => method).join(", ");
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
