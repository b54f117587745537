import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestContext } from "node:test";
import type { Json } from "../../../src/core/json.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import type { EngineOptions } from "../../../src/engine/types/options.ts";
import type { AddSourceOptions } from "../../../src/engine/types/registry.ts";
import type { StdioServer } from "../../../src/sources/mcp/transport/server.ts";
import type { McpSource, McpSourceOptions } from "../../../src/sources/mcp/types/source-types.ts";
import { createMcpSource } from "../../../src/sources/mcp/source.ts";
import { childEnvironment } from "../../../src/system/process/environment.ts";
import type { ServerPlan } from "./mcp-server.ts";
import { engineOf } from "../engines/sources.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const SCRIPT = fileURLToPath(new URL("start-mcp-server.cjs", import.meta.url));

/** A definition that accepts any input. */
export function toolOf(name: string, more: object = {}): Json {
  return { name, description: `Does ${name}.`, inputSchema: { type: "object" }, ...more };
}

/** A raw server whose plan a test may change while it runs. */
export interface RawServer {
  readonly server: StdioServer;
  readonly folder: string;
  readonly planFile: string;
  plan(plan: ServerPlan): void;
  /** The messages it received, one line each. */
  diary(): readonly string[];
  /** Resolves when a line of the log appears. */
  told(line: string): Promise<void>;
}

export function rawServer(t: TestContext, plan: ServerPlan): RawServer {
  const folder = temporaryFolder(t);
  const [planFile, diaryFile] = [join(folder, "plan.json"), join(folder, "diary")];
  // Renamed: the server may read the plan at any time.
  const write = (next: ServerPlan): void => {
    writeFileSync(`${planFile}.new`, JSON.stringify({ diary: diaryFile, ...next }));
    renameSync(`${planFile}.new`, planFile);
  };
  write(plan);
  const diary = (): readonly string[] =>
    existsSync(diaryFile) ? readFileSync(diaryFile, "utf8").trim().split("\n") : [];
  const environment = childEnvironment(process.env);
  const command = process.execPath;
  return {
    server: { kind: "stdio", command, args: [SCRIPT, planFile], environment, cwd: folder },
    folder,
    planFile,
    plan: write,
    diary,
    told: (line) => until(() => diary().some((one) => one.startsWith(line)), `the server heard ${line}`),
  };
}

/** Waits for a condition; fails after a time limit. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const limit = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error(`not within 60 s: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

export interface McpEngine {
  readonly engine: Engine;
  readonly source: McpSource;
}

/** Creates an engine with one loaded MCP server; everything is allowed. */
export async function mcpEngine(
  t: TestContext,
  options: Omit<McpSourceOptions, "name"> & { readonly name?: string },
  engineOptions: EngineOptions = {},
  sourceOptions: AddSourceOptions = {},
): Promise<McpEngine> {
  const engine = engineOf(t, engineOptions);
  const backoff = { firstMs: 50, maxMs: 200 };
  const source = createMcpSource({ name: "raw", backoff, connectTimeoutMs: 15_000, ...options });
  engine.sources.add(source, sourceOptions);
  await engine.sources.settled();
  return { engine, source };
}

/** Returns the program of a reference server, or why it is missing. */
export function referenceServer(name: string): { readonly path: string } | { readonly missing: string } {
  const folder = process.env["TOOLWRIGHT_TEST_MCP_SERVERS"];
  const from = folder === undefined ? import.meta.url : join(folder, "package.json");
  const packageName = `@modelcontextprotocol/server-${name}`;
  try {
    const manifest = createRequire(from).resolve(`${packageName}/package.json`);
    const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: Readonly<Record<string, string>> };
    return { path: join(dirname(manifest), Object.values(bin)[0] ?? "") };
  } catch {
    return {
      missing: `${packageName} is not installed; set TOOLWRIGHT_TEST_MCP_SERVERS to a folder that has it in node_modules`,
    };
  }
}
