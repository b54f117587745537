import assert from "node:assert/strict";
import { test } from "node:test";
import { mcpEngine, rawServer, toolOf } from "../../../../test/support/servers/mcp.ts";
import { names, reasons } from "../../../../test/support/engines/sources.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { createMcpSource } from "../source.ts";

const ECHO = toolOf("echo", { description: "Echoes." });

test("a tool that the server no longer lists is not offered before it has started again, and needs no new approval if it returns", async (t) => {
  const raw = rawServer(t, { tools: [ECHO, toolOf("hang")] });
  const pins = createMemoryCollections().open("mcp-pins");
  await (await mcpEngine(t, { server: raw.server, pins })).engine.close();
  const offered = async (startup: "eager" | "lazy") => {
    const source = createMcpSource({ name: "raw", server: raw.server, pins, startup });
    t.after(() => source.close?.());
    const tools =
      startup === "eager" ? await source.stored?.() : (await source.load(new AbortController().signal)).tools;
    return tools?.map(({ name }) => name);
  };
  raw.plan({ tools: [ECHO] });
  await (await mcpEngine(t, { server: raw.server, pins })).engine.close();
  assert.deepEqual([await offered("eager"), await offered("lazy")], [["raw__echo"], ["raw__echo"]]);
  raw.plan({ tools: [ECHO, toolOf("hang")] });
  const { engine } = await mcpEngine(t, { server: raw.server, pins });
  assert.deepEqual([names(engine), engine.sources.problems()], [["raw__echo", "raw__hang"], []]);
  assert.deepEqual(await offered("eager"), ["raw__echo", "raw__hang"]);
  raw.plan({ tools: [ECHO, toolOf("hang", { description: "Changed while it was away." })] });
  const changed = await mcpEngine(t, { server: raw.server, pins });
  assert.deepEqual(reasons(changed.engine.sources.problems()), ["mcp:raw raw__hang changed"]);
});
