import { join } from "node:path";
import type { TestContext } from "node:test";
import { isObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Artifacts } from "../../../src/core/store/artifacts.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import { createMemoryArtifacts } from "../../../src/store/in-memory.ts";
import { childEnvironment } from "../../../src/system/process/environment.ts";
import { builtInContext } from "../../../src/tools/built-in-context.ts";
import { builtInTools, type BuiltInOptions } from "../../../src/tools/built-in.ts";
import { call, textOf } from "../engines/engine.ts";
import type { Answered } from "../running.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** An engine with the built-in tools and the proxy on; loopback may be reached. */
export interface ProxyEngine {
  readonly engine: Engine;
  readonly root: string;
  readonly artifacts: Artifacts;
  readonly run: (name: string, input: JsonObject, session?: string) => Promise<Answered>;
}

export function proxyEngine(t: Pick<TestContext, "after">, given: Partial<BuiltInOptions> = {}): ProxyEngine {
  const root = temporaryFolder(t);
  const options: BuiltInOptions = {
    root,
    environment: childEnvironment(process.env),
    reportsFolder: join(root, "reports"),
    web: { privateHosts: ["127.0.0.1", "localhost"] },
    ...given,
  };
  const artifacts = createMemoryArtifacts();
  const engine = createEngine({
    mode: "yolo",
    workspace: [root],
    artifacts,
    context: builtInContext(options),
    tools: builtInTools(options),
  });
  for (const group of ["proxy", "agents"]) engine.groups.activate(group);
  t.after(() => engine.close());
  return {
    engine,
    root,
    artifacts,
    async run(name, input, session) {
      const result = await engine.run(call(name, input), session === undefined ? {} : { session });
      const data: Json | undefined = result.ok ? result.data : result.error.details;
      return {
        result,
        text: textOf(result),
        data: isObject(data) ? data : {},
        code: result.ok ? "ok" : result.error.code,
      };
    },
  };
}

const proxyRow = (risk: string, effects: string, parameters: string): readonly string[] => [
  "",
  risk,
  "host",
  "proxy",
  effects,
  ...parameters.split(" "),
];

/** What the catalogue says about the proxy tools, as in `built-in.test.ts`. */
export const PROXY: Readonly<Record<string, readonly string[]>> = {
  list_requests: proxyRow(
    "low",
    "own-state",
    'filter page=1 page_size=50 sort_by="id" sort_order="desc" scope_id',
  ),
  view_request: proxyRow("low", "own-state", 'request_id* part="request" search_pattern page=1'),
  send_request: proxyRow("high", "unsafe", "method* url* headers body timeout_seconds=30"),
  repeat_request: proxyRow("high", "unsafe", "request_id* modifications={} timeout_seconds=30"),
  scope_rules: proxyRow("low", "own-state", "action* allowlist denylist scope_id scope_name"),
  list_sitemap: proxyRow("low", "own-state", "scope_id parent_id depth=2"),
  view_sitemap_entry: proxyRow("low", "own-state", "entry_id*"),
};
