import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { packageFile } from "../../../system/package-files.ts";
import { attempt } from "../../../util/async/attempt.ts";

/** The font of the console, which this page loads without a token. */
export const LOGIN_FONT = /^\/assets\/inter-[0-9A-Z]+\.woff2$/;

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 14px/1.5 "Inter Variable", system-ui, sans-serif;
  background: light-dark(#fafaf8, #141413); color: light-dark(#1d1c1a, #edece9); }
main { width: min(26rem, calc(100vw - 2rem)); box-sizing: border-box; padding: 1.5rem; border-radius: 8px;
  border: 1px solid light-dark(#e3e1dc, #32312e); background: light-dark(#ffffff, #1c1c1a); }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; }
p { margin: .5rem 0; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
input { box-sizing: border-box; width: 100%; padding: .5rem .625rem; font: inherit; border-radius: 6px; color: inherit;
  border: 1px solid light-dark(#8b877f, #7b776f); background: light-dark(#ffffff, #10100f); }
button, .button { display: inline-block; text-decoration: none; margin-top: .75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; border: 0; border-radius: 6px; cursor: pointer;
  background: light-dark(#3451b2, #93a9ff); color: light-dark(#ffffff, #10131f); }
:focus-visible { outline: 2px solid light-dark(#3451b2, #93a9ff); outline-offset: 2px; }
.wrong { color: light-dark(#ad231b, #ff958b); }
code { font-family: ui-monospace, monospace; }
`;

export interface LoginPage {
  readonly status: 401 | 403 | 503;
  /** Why the last try has failed. */
  readonly problem: string | undefined;
  /** True: people can log in by a provider. */
  readonly hasProvider: boolean;
}

/** Returns the page on which a person logs in. */
export function loginPage({ status, problem, hasProvider }: LoginPage): Response {
  const provider = hasProvider ? `<p><a class="button" href="/auth/login">Log in</a></p>` : "";
  const text = hasProvider
    ? "Or paste a token:"
    : "This server needs a token. Open its address with the token, as <code>toolwright serve</code> prints it, or paste the token.";
  const alert =
    problem === undefined ? "" : `<p class="wrong" id="problem" role="alert">${escapeHtml(problem)}</p>`;
  return toPage(
    status,
    `${hasProvider ? alert : ""}${provider}
<p>${text}</p>
<form method="get" action="/">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required${hasProvider ? "" : " autofocus"}${problem === undefined ? "" : ' aria-describedby="problem" aria-invalid="true"'}>
${hasProvider ? "" : alert}
<button type="submit">Log in${hasProvider ? " with the token" : ""}</button>
</form>`,
  );
}

/** Returns the page that asks whether a login that another page began is meant. `asked` is sent back with the answer. */
export function confirmPage({
  name,
  token,
  asked,
}: Readonly<Record<"name" | "token" | "asked", string>>): Response {
  return toPage(
    200,
    `<p>Another page, or a link, opened this address with a token. What you do here will be done as <strong>${escapeHtml(name)}</strong>.</p>
<form method="get" action="/">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<input type="hidden" name="asked" value="${escapeHtml(asked)}">
<button type="submit">Log in as ${escapeHtml(name)}</button>
</form>`,
  );
}

/** Returns the page that opens the console after a login. */
export function enterPage(): Response {
  return toPage(
    200,
    `<p>You are logged in. <a href="/">Open the console</a></p>`,
    `<meta http-equiv="refresh" content="0;url=/">`,
  );
}

function toPage(status: number, body: string, head = ""): Response {
  const style = `${fontFace()}${STYLE}`;
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">${head}
<title>Log in · Toolwright</title>
<style>${style}</style>
<main>
<h1>Toolwright</h1>
${body}
</main>
</html>
`;
  return new Response(page, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policyOf(style),
    },
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => `&#${one.codePointAt(0)};`);
}

function fontFace(): string {
  const files = attempt(() => readdirSync(packageFile("dist/console/assets"))) ?? [];
  const font = files.map((name) => `/assets/${name}`).find((path) => LOGIN_FONT.test(path));
  return font === undefined
    ? ""
    : `@font-face { font-family: "Inter Variable"; font-weight: 100 900; src: url("${font}"); }`;
}

/** Allows nothing but the style of this page, its font, and a form that is sent to this server. */
function policyOf(style: string): string {
  const hash = createHash("sha256").update(style).digest("base64");
  return `default-src 'none'; style-src 'sha256-${hash}'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
}
