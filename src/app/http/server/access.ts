import { endWith } from "../../gateway/http/end-with.ts";
import { createGuard } from "../../gateway/http/http-guard.ts";
import { errorResponse, toResponse, type App } from "./app.ts";
import { consoleFile, SAFE_HEADERS } from "./console-files.ts";
import { LOGIN_FONT, loginPage } from "./login-page.ts";

export type Access = Omit<Parameters<typeof createGuard>[0], "cookie">;

/** Refuses requests without a token, of other hosts and of other pages. The first visit with a token sets the cookie of the page. */
export function addAccess(app: App, access: Access): void {
  const name = `toolwright-${access.port}`;
  const guard = createGuard({ ...access, cookie: name });
  const attributes = `Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Strict${access.isSecure === true ? "; Secure" : ""}`;
  app.use(async (context, next) => {
    const admitted = await guard(context.req.raw);
    const { searchParams, pathname } = new URL(context.req.url);
    const isVisit = context.req.method === "GET" && pathname === "/" && searchParams.has("token");
    if ("status" in admitted) context.res = refuse(admitted, context.req.raw);
    else if (isVisit) {
      const setCookie = `${name}=${admitted.cookie(name)}; ${attributes}`;
      context.res = new Response(null, { status: 303, headers: { location: "/", "set-cookie": setCookie } });
    } else {
      context.set("caller", admitted.caller);
      endWith(admitted.caller, context.env.outgoing);
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
  if (status === 401 && LOGIN_FONT.test(pathname)) return consoleFile(pathname);
  if (status === 401 && !/^\/(?:api|mcp|execute|metrics)\b/.test(pathname))
    return loginPage({ isWrong: searchParams.has("token") });
  const response = errorResponse(status, { code, message: reason });
  if (status === 401) response.headers.set("www-authenticate", "Bearer");
  return response;
}

/** How long a browser stays logged in. */
const COOKIE_SECONDS = 30 * 24 * 3600;
