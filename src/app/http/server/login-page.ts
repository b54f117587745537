import { createHash } from "node:crypto";

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 14px/1.5 system-ui, sans-serif;
  background: light-dark(#fafaf8, #141413); color: light-dark(#1d1c1a, #edece9); }
main { width: min(26rem, calc(100vw - 2rem)); box-sizing: border-box; padding: 1.5rem; border-radius: 8px;
  border: 1px solid light-dark(#e3e1dc, #32312e); background: light-dark(#ffffff, #1c1c1a); }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; }
p { margin: .5rem 0; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
input { box-sizing: border-box; width: 100%; padding: .5rem .625rem; font: inherit; border-radius: 6px; color: inherit;
  border: 1px solid light-dark(#8b877f, #7b776f); background: light-dark(#ffffff, #10100f); }
button { margin-top: .75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; border: 0; border-radius: 6px; cursor: pointer;
  background: light-dark(#3451b2, #93a9ff); color: light-dark(#ffffff, #10131f); }
:focus-visible { outline: 2px solid light-dark(#3451b2, #93a9ff); outline-offset: 2px; }
.wrong { color: light-dark(#ad231b, #ff958b); }
code { font-family: ui-monospace, monospace; }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Nothing but the style of this page, and a form that is sent to this server. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** Returns the page on which a person gives the token. */
export function loginPage({ isWrong }: { readonly isWrong: boolean }): Response {
  const problem = isWrong ? `<p class="wrong" id="problem" role="alert">This token is not valid.</p>` : "";
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Log in · Toolwright</title>
<style>${STYLE}</style>
<main>
<h1>Toolwright</h1>
<p>This server needs a token. Open its address with the token, as <code>toolwright serve</code> prints it, or paste the token.</p>
<form method="get" action="/">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${isWrong ? ' aria-describedby="problem" aria-invalid="true"' : ""}>
${problem}
<button type="submit">Log in</button>
</form>
</main>
</html>
`;
  return new Response(page, {
    status: 401,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "www-authenticate": "Bearer",
      "content-security-policy": POLICY,
    },
  });
}
