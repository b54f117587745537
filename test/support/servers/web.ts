import type { RequestListener } from "node:http";
import type { TestContext } from "node:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { ToolResult } from "../../../src/core/result.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import { aboutTools } from "../../../src/tools/about/family.ts";
import { webTools } from "../../../src/tools/web/family.ts";
import type { WebOptions } from "../../../src/tools/web/options.ts";
import { call } from "../engines/engine.ts";
import { memoryArtifacts } from "../engines/tool-context.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { startWebServer, type WebServer } from "./web-server.ts";

/** An engine with the tools for the web and a server that they may reach; everything is allowed and ends with the test. */
export interface WebEngine extends WebServer {
  readonly engine: Engine;
  readonly root: string;
  readonly run: (name: string, input: JsonObject) => Promise<ToolResult>;
}

export async function webEngine(
  t: TestContext,
  listener: RequestListener,
  options: WebOptions | ((server: WebServer) => WebOptions) = {},
): Promise<WebEngine> {
  const server = await startWebServer(t, listener);
  const { web, ...models } = typeof options === "function" ? options(server) : options;
  const root = temporaryFolder(t);
  const engine = createEngine({
    mode: "yolo",
    workspace: [root],
    artifacts: memoryArtifacts(),
    tools: [
      ...webTools({ root, web: { privateHosts: [`127.0.0.1:${server.port}`], ...web }, ...models }),
      ...aboutTools({}),
    ],
  });
  t.after(() => engine.close());
  return { ...server, engine, root, run: (name, input) => engine.run(call(name, input), { session: "web" }) };
}
