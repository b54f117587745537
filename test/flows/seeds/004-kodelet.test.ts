// The examples of seed 004, "Tool System Architecture", as literally as TypeScript allows.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ActiveTools,
  BrowserKey,
  createEngine,
  defineTool,
  FileAccessKey,
  object,
  ProcessesKey,
  provide,
  SettingsKey,
  string,
  ToolError,
} from "../../../src/index.ts";
import { McpServersKey } from "../../../src/doors/mcp.ts";
import { builtInContext } from "../../../src/tools/built-in-context.ts";
import { browserTools } from "../../../src/tools/browser/family.ts";
import { textOf } from "../../support/engines/engine.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startWebServer } from "../../support/servers/web-server.ts";

test("adding a new tool, steps 1 to 5: one definition has schema, validation, attributes, result and metadata", async () => {
  const spans: unknown[] = [];
  const myTool = defineTool({
    name: "my_tool",
    description: "Description of what this tool does",
    input: object({ parameter: string("Parameter description") }),
    output: object({ data: string() }),
    risk: "low",
    check: ({ parameter }) =>
      parameter === "bad"
        ? [{ kind: "value", path: "/parameter", expected: "a good one", got: parameter }]
        : [],
    attributes: ({ parameter }) => ({ "tool.name": "my_tool", parameter }),
    run({ parameter }) {
      if (parameter === "broken") throw new ToolError("TOOL_FAILED", "it broke");
      return { data: parameter.toUpperCase() };
    },
  });
  const engine = createEngine({ tools: [myTool] });
  engine.on((event) => void spans.push(event), ["call.started"]);
  const result = await engine.call(myTool, { parameter: "value" });
  assert.deepEqual(result.ok && result.data, { data: "VALUE" });
  assert.match(JSON.stringify(spans), /"tool\.name":"my_tool"/);
  const refused = await engine.call(myTool, { parameter: "bad" });
  assert.equal(refused.ok ? "" : refused.error.code, "INVALID_INPUT");
  const failed = await engine.call(myTool, { parameter: "broken" });
  assert.equal(textOf(failed), "Error: it broke");
});

test("State: a tool of a user has the tools, the settings, the files, the processes, the browser and the MCP servers", async (t) => {
  const root = temporaryFolder(t);
  const server = await startWebServer(t, (_, response) =>
    response.setHeader("content-type", "text/html").end("<title>Shop</title><p>Lamp</p>"),
  );
  const options = {
    root,
    environment: { PATH: process.env["PATH"] ?? "" },
    web: { privateHosts: [`127.0.0.1:${server.port}`] },
  };
  const state = defineTool({
    name: "state",
    description: "Uses every part of the state.",
    async run(_, context) {
      const browser = context.get(BrowserKey);
      const before = browser.tabs().length;
      await browser.open(`${server.origin}/`);
      const title = await browser.evaluate("document.title");
      const tabs = browser.tabs().map(({ url, isShown }) => ({ url, isShown }));
      return {
        tools: context.get(ActiveTools).list().length > 0,
        mode: context.get(SettingsKey).mode,
        seen: (await context.get(FileAccessKey).seen(`${root}/a`)) !== undefined,
        processes: context.get(ProcessesKey).list().length,
        servers: context.get(McpServersKey) !== undefined,
        browser: { before, title, tabs },
      };
    },
  });
  const close = defineTool({
    name: "close",
    description: "Ends the browser.",
    async run(_, context) {
      await context.get(BrowserKey).close();
      await context.get(BrowserKey).close();
      return context.get(BrowserKey).tabs().length;
    },
  });
  const settings = {
    workspace: [root],
    mode: "yolo",
    timeoutMs: 1,
    concurrency: 1,
    model: undefined,
  } as const;
  const servers = { list: () => [] } as never;
  const engine = createEngine({
    mode: "yolo",
    workspace: [root],
    context: [...builtInContext(options), provide(SettingsKey, settings), provide(McpServersKey, servers)],
    tools: [...browserTools(options), state, close],
  });
  t.after(() => engine.close());
  engine.groups.activate("browser");
  const run = (name: string) => engine.run({ id: name, name, input: {} }, { session: "s" });
  const result = await run("state");
  assert.ok(result.ok, textOf(result));
  assert.deepEqual(result.data, {
    tools: true,
    mode: "yolo",
    seen: false,
    processes: 0,
    servers: true,
    browser: { before: 0, title: "Shop", tabs: [{ url: `${server.origin}/`, isShown: true }] },
  });
  assert.match(textOf(await run("get_page")), /Lamp/, "the tools of the browser see the same page");
  assert.equal(textOf(await run("close")), "0");
});
