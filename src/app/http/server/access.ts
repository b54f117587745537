import { randomBytes } from "node:crypto";
import { toFault } from "../../../util/json/fault.ts";
import { isSameSecret } from "../../../system/same-secret.ts";
import type { FoundCaller } from "../../gateway/http/callers.ts";
import { endWith } from "../../gateway/http/end-with.ts";
import { cookieOf, createGuard, isFromOwnPage, type GuardOptions } from "../../gateway/http/http-guard.ts";
import { challengeOf, resourceMetadata } from "../../gateway/http/protected-resource.ts";
import type { Refusal } from "../../gateway/login/refusal.ts";
import type { ServerLogin } from "../../gateway/login/login-types.ts";
import { errorResponse, toResponse, type App } from "./app.ts";
import { consoleFile, SAFE_HEADERS } from "./console-files.ts";
import { confirmPage, enterPage, LOGIN_FONT, loginPage } from "./login-page.ts";

export interface Access extends Omit<GuardOptions, "cookie" | "url"> {
  /** How people log in by a provider; absent: with tokens only. */
  readonly login?: ServerLogin | undefined;
}

/** Refuses requests without a login, of other hosts and of other pages. Answers what logs in and out itself. */
export function addAccess(app: App, { login, ...access }: Access): void {
  const name = `toolwright-${access.port}`;
  const guard = createGuard({ ...access, cookie: name, url: login?.url });
  const isEncrypted = access.isSecure === true || login?.url?.startsWith("https:") === true;
  const secure = isEncrypted ? "; Secure" : "";
  const toCookie: ToCookie = (cookie, value, { seconds, site = "Strict", path = "/" }) =>
    `${cookie}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${site}${secure}`;
  const place = (request: Request) => ({ name, toCookie, base: guard.baseOf(request) });
  const answer = async (request: Request): Promise<Response | FoundCaller> => {
    const { pathname } = new URL(request.url);
    const open =
      login && guard.foreign(request) === undefined && (await answerOpen(request, login, place(request)));
    if (open) return open;
    const admitted = await guard.admit(request);
    if ("status" in admitted) {
      const challenge = challengeOf(admitted, pathname, {
        base: guard.baseOf(request),
        oidc: login?.setting,
      });
      return refuse(admitted, request, { challenge, hasProvider: login !== undefined });
    }
    if (isVisit(request)) return visit(request, admitted, place(request));
    return pathname === LOGOUT && request.method === "POST"
      ? logOut(request, login, place(request))
      : admitted;
  };
  app.use(async (context, next) => {
    const answered = await answer(context.req.raw);
    if (answered instanceof Response) context.res = answered;
    else {
      context.set("caller", answered.caller);
      endWith(answered.caller, context.env.outgoing);
      await next();
    }
    for (const [header, text] of Object.entries(SAFE_HEADERS))
      if (!context.res.headers.has(header)) context.res.headers.set(header, text);
  });
  app.onError((error) => toResponse(error));
}

const LOGOUT = "/auth/logout";
/** How long a browser stays logged in with a token. */
const COOKIE_SECONDS = 30 * 24 * 3600;
/** How long a person may take at the provider. */
const START_SECONDS = 600;

type ToCookie = (
  name: string,
  value: string,
  options: { readonly seconds: number; readonly site?: "Lax" | "Strict"; readonly path?: string },
) => string;

interface Place {
  /** The name of the cookie of a login. */
  readonly name: string;
  readonly toCookie: ToCookie;
  readonly base: string;
}

/** Answers what needs no login; undefined for all else. */
async function answerOpen(
  request: Request,
  login: ServerLogin,
  { name, toCookie, base }: Place,
): Promise<Response | undefined> {
  const address = new URL(request.url);
  const { pathname } = address;
  const metadata = resourceMetadata(pathname, base, login.setting);
  if (metadata !== undefined || request.method !== "GET") return metadata;
  const start = `${name}-login`;
  const cookie = { seconds: START_SECONDS, site: "Lax", path: "/auth" } as const;
  try {
    if (pathname === "/auth/login") {
      const { url, browser } = await login.console.begin(`${base}/auth/callback`);
      return redirect(url, toCookie(start, browser, cookie));
    }
    if (pathname !== "/auth/callback") return undefined;
    const { value, seconds } = await login.console.finish(address, cookieOf(request, start), name);
    const entered = enterPage();
    entered.headers.append("set-cookie", toCookie(start, "", { ...cookie, seconds: 0 }));
    // A redirect would belong to the provider's page, from which this cookie is not sent.
    entered.headers.append("set-cookie", toCookie(name, value, { seconds }));
    return entered;
  } catch (error) {
    const { code, message } = toFault(error);
    const status = code === "DENIED" ? 403 : 503;
    return loginPage({ status, problem: `${message}.`, hasProvider: true });
  }
}

/** Ends the login of a browser here; the answer says where it ends at the provider. */
async function logOut(
  request: Request,
  login: ServerLogin | undefined,
  { name, toCookie, base }: Place,
): Promise<Response> {
  const url = (await login?.console.end(name, cookieOf(request, name), `${base}/`)) ?? "/";
  return Response.json({ url }, { headers: { "set-cookie": toCookie(name, "", { seconds: 0 }) } });
}

function isVisit({ method, url }: Request): boolean {
  const { pathname, searchParams } = new URL(url);
  return method === "GET" && pathname === "/" && searchParams.has("token");
}

/**
 * Sets the cookie of a page that is opened with a token, which leaves the address. A page of another server could open it with a token that is not of
 * the person at the browser, who would then work under another name: they are asked.
 */
function visit(request: Request, found: FoundCaller, { name, toCookie }: Place): Response {
  const { searchParams } = new URL(request.url);
  const question = `${name}-asked`;
  const isAnswer = isSameSecret(searchParams.get("asked") ?? "", cookieOf(request, question) || " ");
  if (!isAnswer && !isMeant(request)) {
    const value = randomBytes(32).toString("base64url");
    const page = confirmPage({
      name: found.caller.name,
      token: searchParams.get("token") ?? "",
      asked: value,
    });
    page.headers.append("set-cookie", toCookie(question, value, { seconds: START_SECONDS }));
    return page;
  }
  return redirect("/", toCookie(name, found.cookie?.(name) ?? "", { seconds: COOKIE_SECONDS }));
}

/** Returns whether the person typed the address, opened it from another program, or used our form. Browsers say so, but not over plain HTTP from other machines. */
function isMeant(request: Request): boolean {
  const isBrowser = request.headers.get("accept")?.includes("text/html") === true;
  return request.headers.has("sec-fetch-site") ? isFromOwnPage(request) : !isBrowser;
}

function redirect(location: string, cookie: string): Response {
  return new Response(null, { status: 303, headers: { location, "set-cookie": cookie } });
}

function refuse(
  { status, reason }: Refusal,
  { url }: Request,
  { challenge, hasProvider }: { readonly challenge: string | undefined; readonly hasProvider: boolean },
): Response {
  const code = status === 401 ? "UNAUTHORIZED" : status === 403 ? "DENIED" : "UNAVAILABLE";
  const { pathname, searchParams } = new URL(url);
  if (status === 401 && LOGIN_FONT.test(pathname)) return consoleFile(pathname);
  const isPage = status === 401 && !/^\/(?:api|mcp|execute|metrics|auth)\b/.test(pathname);
  const problem = searchParams.has("token") ? "This token is not valid." : undefined;
  const response = isPage
    ? loginPage({ status, problem, hasProvider })
    : errorResponse(status, { code, message: reason });
  if (challenge !== undefined) response.headers.set("www-authenticate", challenge);
  return response;
}
