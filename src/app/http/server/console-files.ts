import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
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

/**
 * Returns the file of the console at a path, or its page for any other path: the page shows the view itself. Scripts and styles are stored
 * compressed by Brotli, and sent so to browsers that accept it.
 */
export function consoleFile(path: string, acceptEncoding = ""): Response {
  const folder = packageFile("dist/console");
  const isFile = /^\/(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)+$/.test(path);
  const read = (name: string): Buffer | undefined => attempt(() => readFileSync(join(folder, name)));
  const plain = isFile ? read(path) : undefined;
  const compressed = isFile && plain === undefined ? read(`${path}.br`) : undefined;
  if (plain !== undefined) return new Response(plain, { headers: headersOf(path) });
  if (compressed !== undefined) {
    const headers = { ...headersOf(path), vary: "accept-encoding" };
    return acceptsBrotli(acceptEncoding)
      ? new Response(compressed, { headers: { ...headers, "content-encoding": "br" } })
      : new Response(brotliDecompressSync(compressed), { headers });
  }
  if (isFile) return new Response("not found\n", { status: 404, headers: { "content-type": "text/plain" } });
  const page = attempt(() => readFileSync(join(folder, "index.html"), "utf8")) ?? NOT_BUILT;
  return new Response(page, {
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}

function headersOf(path: string): Readonly<Record<string, string>> {
  // The name of a built file has the hash of its content.
  const isHashed = /[-.][0-9A-Za-z]{8,}\.\w+$/.test(path);
  return {
    "content-type": TYPES[extname(path)] ?? "application/octet-stream",
    "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
  };
}

/** A browser names it only over an encrypted connection or to this machine. */
function acceptsBrotli(acceptEncoding: string): boolean {
  return /(?:^|,)\s*br\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/.test(acceptEncoding);
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Toolwright</title>
<h1>Toolwright</h1>
<p>The console is not built. The API works: <a href="/api/openapi.json">/api/openapi.json</a> describes it.</p>
<p>In a checkout of the repository, <code>npm run build</code> builds the console.</p>
</html>
`;
