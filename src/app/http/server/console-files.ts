import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { packageFile } from "../../../system/package-files.ts";
import { attempt } from "../../../util/async/attempt.ts";

/** Nothing is loaded from elsewhere, no script runs but ours, and no other page may show the console in a frame. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of every response. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
};

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".map": "application/json",
  ".woff2": "font/woff2",
};

/** Returns the file of the console at a path, or its page for any other path: the page shows the view itself. */
export function consoleFile(path: string): Response {
  const folder = packageFile("dist/console");
  const isFile = /^\/(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)+$/.test(path);
  const bytes = isFile ? attempt(() => readFileSync(join(folder, path))) : undefined;
  if (bytes !== undefined) {
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    // The name of a built file has the hash of its content.
    const isHashed = /[-.][0-9A-Za-z]{8,}\.\w+$/.test(path);
    const cache = isHashed ? "public, max-age=31536000, immutable" : "no-cache";
    return new Response(bytes, { headers: { "content-type": type, "cache-control": cache } });
  }
  if (isFile) return new Response("not found\n", { status: 404, headers: { "content-type": "text/plain" } });
  const page = attempt(() => readFileSync(join(folder, "index.html"), "utf8")) ?? NOT_BUILT;
  return new Response(page, {
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Toolwright</title>
<h1>Toolwright</h1>
<p>The console is not built. The API works: <a href="/api/openapi.json">/api/openapi.json</a> describes it.</p>
<p>In a checkout of the repository, <code>npm run prepare</code> builds the console.</p>
</html>
`;
