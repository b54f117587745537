import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { HttpServer } from "../../../src/sources/mcp/transport/server.ts";
import { toolOf } from "./mcp.ts";

export interface OAuthPlan {
  /** The user refuses. */
  readonly isDenied?: boolean;
  /** The browser returns with a wrong state. */
  readonly hasWrongState?: boolean;
  /** The path that never answers. */
  readonly hangsAt?: string;
  /** The status that the token endpoint fails with. */
  readonly tokenStatus?: number;
  /** The HTML page of a proxy in front of the token endpoint. */
  readonly tokenPage?: string;
  /** No refresh token is issued. */
  readonly isShort?: boolean;
  readonly expiresInSeconds?: number;
  /** The client is preregistered, with its secret. */
  readonly client?: { readonly id: string; readonly secret: string };
  /** Client ids may be URLs of metadata documents. */
  readonly readsDocuments?: boolean;
}

export interface AuthorizationRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
}

/** An MCP server that requires a token, and the authorization server that issues them. */
export interface OAuthPlace {
  readonly server: HttpServer;
  readonly issuer: string;
  /** All requests to the authorization server, bodies as queries. */
  readonly authorizationRequests: readonly AuthorizationRequest[];
  /** The headers of each request at the MCP server. */
  readonly requests: readonly IncomingMessage["headers"][];
  plan(plan: OAuthPlan): void;
  /** Answers the hanging requests. */
  release(): void;
  /** Expires the access tokens, not the refresh tokens. */
  expire(): void;
  /** Revokes all tokens. */
  revoke(): void;
  count(path: string, grant?: string): number;
  /** Every token that was ever issued. */
  tokens(): readonly string[];
}

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly clientId: string;
  readonly scope: string;
}

export async function oauthPlace(t: TestContext, first: OAuthPlan = {}): Promise<OAuthPlace> {
  let plan = first;
  const authorizationRequests: AuthorizationRequest[] = [];
  const requests: IncomingMessage["headers"][] = [];
  const given: string[] = [];
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  const codes = new Map<string, Code>();
  const hanging: (() => void)[] = [];
  const clients = new Map<string, { readonly redirectUris: readonly string[]; readonly secret?: string }>();

  const grant = (scope: string): object => {
    const [token, again] = [secret("access"), secret("refresh")];
    access.set(token, scope);
    given.push(token);
    if (plan.isShort !== true) {
      given.push(again);
      refresh.set(again, scope);
    }
    return {
      access_token: token,
      token_type: "Bearer",
      scope,
      ...(plan.expiresInSeconds !== undefined && { expires_in: plan.expiresInSeconds }),
      ...(plan.isShort !== true && { refresh_token: again }),
    };
  };
  const revoke = (): void => {
    access.clear();
    refresh.clear();
  };
  const byRefreshing = (form: URLSearchParams): object => {
    const scope = refresh.get(form.get("refresh_token") ?? "");
    // A token that is used twice counts as stolen: everything is revoked.
    if (scope === undefined) return (revoke(), { error: "invalid_grant" });
    refresh.delete(form.get("refresh_token") ?? "");
    return grant(scope);
  };
  const byCode = (form: URLSearchParams): object => {
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isGood =
      code !== undefined &&
      code.challenge === proof &&
      code.redirectUri === form.get("redirect_uri") &&
      form.get("resource") === resourceUrl;
    return isGood ? grant(code.scope) : { error: "invalid_grant" };
  };
  const token = (form: URLSearchParams, headers: IncomingMessage["headers"]): [number, object] => {
    if (plan.tokenStatus !== undefined) return [plan.tokenStatus, { error: "server_error" }];
    if (plan.client !== undefined && !isKnown(plan.client, form, headers))
      return [401, { error: "invalid_client" }];
    const answer = form.get("grant_type") === "refresh_token" ? byRefreshing(form) : byCode(form);
    return ["error" in answer ? 400 : 200, answer];
  };
  const register = (body: string): object => {
    const { redirect_uris: redirectUris, ...rest } = JSON.parse(body) as { readonly redirect_uris: string[] };
    const id = secret("client");
    clients.set(id, { redirectUris });
    return { ...rest, client_id: id, redirect_uris: redirectUris };
  };
  const authorize = (query: URLSearchParams): string | undefined => {
    const [clientId, redirectUri] = [query.get("client_id") ?? "", query.get("redirect_uri") ?? ""];
    const isRegistered = clients.get(clientId)?.redirectUris.includes(redirectUri) === true;
    if (!isRegistered && plan.client?.id !== clientId && !clientId.startsWith("https://")) return undefined;
    const back = new URL(redirectUri);
    back.searchParams.set("state", plan.hasWrongState === true ? "another" : (query.get("state") ?? ""));
    if (plan.isDenied === true) {
      back.searchParams.set("error", "access_denied");
      return back.href;
    }
    const code = secret("code");
    codes.set(code, {
      clientId,
      redirectUri,
      challenge: query.get("code_challenge") ?? "",
      scope: query.get("scope") ?? "",
    });
    back.searchParams.set("code", code);
    back.searchParams.set("iss", issuer);
    return back.href;
  };

  const authorization = createServer((request, response) => {
    void body(request).then((text) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      const isForm = request.headers["content-type"]?.includes("form") === true;
      const query = isForm ? new URLSearchParams(text) : searchParams;
      authorizationRequests.push({ path: pathname, query, headers: request.headers });
      const answer = (): void => respond(pathname, query, text, request, response);
      return plan.hangsAt === pathname ? void hanging.push(answer) : answer();
    });
  });
  const respond = (
    pathname: string,
    query: URLSearchParams,
    text: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): void => {
    if (pathname === "/.well-known/oauth-authorization-server") return json(response, 200, metadata());
    if (pathname === "/register") return json(response, 201, register(text));
    if (pathname === "/token" && plan.tokenPage !== undefined)
      return void response.writeHead(502, { "content-type": "text/html" }).end(plan.tokenPage);
    if (pathname === "/token") return json(response, ...token(query, request.headers));
    const back = pathname === "/authorize" ? authorize(query) : undefined;
    if (back === undefined) return json(response, 404, {});
    return void response.writeHead(302, { location: back }).end();
  };
  const resource = createServer((request, response) => {
    void body(request).then((text) => {
      if (request.url?.startsWith("/.well-known/oauth-protected-resource") === true)
        return json(response, 200, {
          resource: resourceUrl,
          authorization_servers: [issuer],
          scopes_supported: ["never-asked-for"],
        });
      requests.push(request.headers);
      const [, bearer = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
      const scope = access.get(bearer);
      const metadataAt = `resource_metadata="${new URL(resourceUrl).origin}/.well-known/oauth-protected-resource/mcp"`;
      const refuse = (status: number, challenge: string): void =>
        void response.writeHead(status, { "www-authenticate": `Bearer ${metadataAt}, ${challenge}` }).end();
      if (scope === undefined) return refuse(401, 'scope="read"');
      if (request.method !== "POST") return void response.writeHead(405).end();
      const message = JSON.parse(text) as Message;
      const needsMore = message.params?.name === "admin" && !scope.split(" ").includes("admin");
      if (needsMore) return refuse(403, 'error="insufficient_scope", scope="admin"');
      if (message.id === undefined) return void response.writeHead(202).end();
      return json(response, 200, {
        jsonrpc: "2.0",
        id: message.id,
        result: resultOf(message, bearer, scope),
      });
    });
  });
  const [issuer, origin] = [await listen(t, authorization), await listen(t, resource)];
  const resourceUrl = `${origin}/mcp`;
  const metadata = (): object => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    ...(plan.client === undefined && { registration_endpoint: `${issuer}/register` }),
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
    authorization_response_iss_parameter_supported: true,
    ...(plan.readsDocuments === true && { client_id_metadata_document_supported: true }),
  });
  return {
    server: { kind: "http", url: resourceUrl, headers: {}, transport: "http" },
    issuer,
    authorizationRequests,
    requests,
    plan: (next) => void (plan = next),
    release() {
      plan = {};
      for (const answer of hanging.splice(0)) answer();
    },
    expire: () => access.clear(),
    revoke,
    tokens: () => given,
    count: (path, kind) =>
      authorizationRequests.filter(
        (one) => one.path === path && (kind === undefined || one.query.get("grant_type") === kind),
      ).length,
  };
}

/** A user who opens the URL and follows its redirects. */
export async function followInBrowser(address: URL): Promise<Response> {
  return fetch(address, { redirect: "follow" });
}

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

function resultOf({ method, params }: Message, bearer: string, scope: string): object {
  if (method === "initialize")
    return {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "guarded", version: "1" },
    };
  if (method === "tools/list") return { tools: [toolOf("whoami"), toolOf("admin")] };
  return { content: [{ type: "text", text: `${params?.name}: ${bearer} may ${scope}` }] };
}

function isKnown(
  client: { readonly id: string; readonly secret: string },
  form: URLSearchParams,
  { authorization }: IncomingMessage["headers"],
): boolean {
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}`;
  return authorization === basic || form.get("client_secret") === client.secret;
}

function secret(what: string): string {
  return `${what}.${randomBytes(12).toString("hex")}`;
}

async function body(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function listen(t: TestContext, server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  t.after(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
