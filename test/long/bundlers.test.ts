import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { installPacked, npm, type Installed } from "../../scripts/package/install-packed.ts";

// The packed package in bundlers that are too large to be a development dependency: they are installed here.

let installed: Installed;
before(() => {
  installed = installPacked();
  cpSync("test/fixtures/consumer/app.ts", join(installed.project, "app.ts"));
});
after(() => installed.remove());

test("a program that Vite bundles whole for the server runs", () => {
  const { project } = installed;
  npm(["install", "--no-audit", "--no-fund", "vite"], project);
  writeFileSync(join(project, "vite.config.js"), "export default { ssr: { noExternal: true } };\n");
  execFileSync(
    process.execPath,
    ["node_modules/vite/bin/vite.js", "build", "--ssr", "app.ts", "--outDir", "vite"],
    {
      cwd: project,
    },
  );
  const output = execFileSync(process.execPath, ["vite/app.js"], { cwd: project, encoding: "utf8" });
  assert.match(output, /ok\s*$/);
});

for (const external of [false, true]) {
  const how = external ? "as an external package" : "bundled";
  test(`in a standalone Next server, with its traced files only and Toolwright ${how}, calls are answered`, async (t) => {
    const { project } = installed;
    npm(["install", "--no-audit", "--no-fund", "next", "react", "react-dom"], project);
    writeNextApp(project, external);
    execFileSync(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
      cwd: project,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
    });
    const standalone = mkdtempSync(join(tmpdir(), "toolwright-next-"));
    t.after(() => rmSync(standalone, { recursive: true, force: true }));
    cpSync(join(project, ".next/standalone"), standalone, { recursive: true, verbatimSymlinks: true });
    const port = await freePort();
    const server = spawn(process.execPath, ["server.js"], {
      cwd: standalone,
      env: { ...process.env, PORT: String(port), HOSTNAME: "127.0.0.1" },
      stdio: "ignore",
    });
    t.after(() => void server.kill());
    assert.equal(await answerOf(`http://127.0.0.1:${port}/run`), "ok");
  });
}

function writeNextApp(project: string, external: boolean): void {
  // Next copies the program that searches only if Toolwright is external.
  const grep = external ? "ok" : "UNAVAILABLE";
  const config = { output: "standalone", ...(external && { serverExternalPackages: ["toolwright"] }) };
  writeFileSync(join(project, "next.config.mjs"), `export default ${JSON.stringify(config)};\n`);
  mkdirSync(join(project, "app/run"), { recursive: true });
  writeFileSync(
    join(project, "app/layout.jsx"),
    "export default ({ children }) => <html><body>{children}</body></html>;\n",
  );
  writeFileSync(join(project, "app/page.jsx"), "export default () => <p>Toolwright</p>;\n");
  writeFileSync(
    join(project, "app/run/route.js"),
    `export const dynamic = "force-dynamic";
import { createEngine, defineTool, number, object } from "toolwright";
import { builtInTools } from "toolwright/tools";
export async function GET() {
  const add = defineTool({ name: "add", description: "Adds.", risk: "low",
    input: object({ a: number(), b: number() }), run: ({ a, b }) => a + b });
  const odd = defineTool({ name: "odd", description: "Rare.", risk: "low", run: () => "ran",
    input: { type: "object", unevaluatedProperties: false, allOf: [{ properties: { at: { format: "date" } } }] } });
  const root = process.cwd();
  const engine = createEngine({ tools: [add, odd, ...builtInTools({ root, environment: {} })], workspace: [root] });
  const results = await engine.runAll([
    { id: "1", name: "add", input: { a: 1, b: 2 } },
    { id: "2", name: "odd", input: { at: "2026-01-31" } },
    { id: "3", name: "ls", input: { path: "." } },
    { id: "4", name: "add", input: { a: "x" } },
    { id: "5", name: "ad", input: {} },
    { id: "6", name: "grep", input: { pattern: "private", path: "package.json" } },
  ]);
  const got = results.map((result) => (result.ok ? "ok" : result.error.code)).join();
  return new Response(got === "ok,ok,ok,INVALID_INPUT,TOOL_NOT_FOUND,${grep}" ? "ok" : JSON.stringify(results));
}
`,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Asks again until the server listens. */
async function answerOf(address: string): Promise<string> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await (await fetch(address)).text();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await wait(100);
    }
  }
}
