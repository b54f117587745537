import assert from "node:assert/strict";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { npm } from "../../scripts/package/install-packed.ts";
import { EDGE_PROGRAMS } from "../support/edge-programs.ts";

// The built library in workerd, without `nodejs_compat`, and in a page of Chromium. miniflare, 174 MB, is installed once, into the temporary folder.

const VERSION = "4.20260730.0";
const cache = join(tmpdir(), `toolwright-miniflare-${VERSION}`);

async function bundle(
  contents: string,
  { conditions, end }: { conditions: string[]; end: string },
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `${contents}\n${end}`, resolveDir: process.cwd(), sourcefile: "app.js" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    conditions,
    target: "es2024",
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

interface Miniflare {
  dispatchFetch(address: string): Promise<{ text(): Promise<string> }>;
  dispose(): Promise<void>;
}

for (const { name, contents, outcome } of EDGE_PROGRAMS)
  test(`in workerd: ${name}`, async (t) => {
    installMiniflare();
    const entry = pathToFileURL(join(cache, "node_modules/miniflare/dist/src/index.js")).href;
    const { Miniflare: Server } = (await import(entry)) as {
      readonly Miniflare: new (options: object) => Miniflare;
    };
    const script = await bundle(contents, {
      conditions: ["workerd", "worker"],
      end: `export default {
        fetch: async () => Response.json({ node: typeof process, outcome: await main() }),
      };`,
    });
    const server = new Server({
      // As it is: the reader of commands is imported from an address that miniflare would look for.
      modules: [{ type: "ESModule", path: "app.js", contents: script }],
      compatibilityDate: "2026-01-01",
      compatibilityFlags: ["no_nodejs_compat_v2"],
    });
    t.after(() => server.dispose());
    const response = await server.dispatchFetch("http://localhost/");
    assert.deepEqual(JSON.parse(await response.text()), { node: "undefined", outcome });
  });

/** Opens a page of a program, which must not generate code, and returns what its `main` returns. */
async function runInPage(script: string): Promise<unknown> {
  const server = createServer((request, response) => {
    const isScript = request.url === "/app.js";
    response.setHeader("content-type", isScript ? "text/javascript; charset=utf-8" : "text/html");
    response.setHeader("content-security-policy", "script-src 'self'");
    response.end(isScript ? script : '<!doctype html><script type="module" src="/app.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server does not listen");
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", ({ message }) => faults.push(message));
    await page.goto(`http://127.0.0.1:${address.port}/`);
    const text = await Promise.race([
      page.waitForFunction("globalThis.outcome").then((handle) => handle.jsonValue()),
      page.waitForEvent("pageerror").then(({ message }) => assert.fail(message)),
    ]);
    assert.deepEqual(faults, []);
    return JSON.parse(String(text)) as unknown;
  } finally {
    await browser.close();
    server.close();
  }
}

const PAGE = { conditions: ["browser"], end: "globalThis.outcome = JSON.stringify(await main());" };

for (const { name, contents, outcome } of EDGE_PROGRAMS)
  test(`in Chromium, where code cannot be generated: ${name}`, async () => {
    assert.deepEqual(await runInPage(await bundle(contents, PAGE)), outcome);
  });

function installMiniflare(): void {
  if (existsSync(cache)) return;
  const folder = mkdtempSync(`${cache}-`);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, dependencies: { miniflare: VERSION } }),
  );
  try {
    npm(["install", "--no-audit", "--no-fund", "--ignore-scripts"], folder);
    renameSync(folder, cache);
  } catch (error) {
    rmSync(folder, { recursive: true });
    // Another run was quicker.
    if (!existsSync(cache)) throw error;
  }
}
