import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkPage, openConsole, startBrowser } from "../long/support/console.ts";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { untilTrue } from "../support/running.ts";
import { createPlace, runCli } from "./support/cli.ts";
import { startServe } from "./support/serve.ts";

const kind = (name: string) => ({
  type: "object",
  properties: { kind: { const: name }, [name]: { type: "string" } },
  required: ["kind", name],
});

const SCHEMA = {
  type: "object",
  properties: {
    code: { type: "string", pattern: "^[0-9]{5}$", description: "Five digits." },
    count: { type: "integer", minimum: 1, maximum: 10 },
    target: { anyOf: [kind("path"), kind("url"), { type: "null" }] },
    names: { type: "array", items: { type: "string" } },
    anything: {},
    labels: { type: "object", additionalProperties: { type: "string" } },
  },
  required: ["code"],
};

test("a form leaves out what is optional, shows limits, and makes no call of input that does not fit", async (t) => {
  const place = createPlace(t);
  const raw = rawServer(t, { tools: [toolOf("order", { inputSchema: SCHEMA })] });
  const { command, args } = raw.server;
  const config = { mcpServers: { raw: { command, args } } };
  writeFileSync(join(place.home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  assert.equal((await runCli(place, ["mcp", "test", "raw"])).code, 0);
  const [browser, served] = await Promise.all([startBrowser(t), startServe(t, place, ["--mode", "yolo"])]);
  const { page, show, errors } = await openConsole(browser, served.address);
  await show("tools/raw__order");
  const run = page.getByRole("button", { name: "Run raw__order" });
  const calls = async () => (await served.send<"calls">("GET", "/api/calls")).body.calls;
  const input = async () => {
    const [call] = await calls();
    const { body } = await served.send<"call">("GET", `/api/calls/${call?.callId}`);
    return body.input;
  };

  await run.click();
  await page.getByRole("alert").filter({ hasText: "code" }).waitFor();
  await page.getByText(/matches \^\[0-9\]\{5\}\$/).waitFor();
  await page.getByText("1 to 10").waitFor();
  assert.deepEqual(await calls(), [], "nothing ran");

  await page.getByLabel(/^code/).fill("12345");
  await run.click();
  await page.getByText("Done", { exact: true }).first().waitFor();
  assert.deepEqual(await input(), { code: "12345" });

  await page.getByLabel("Kind of value").first().selectOption({ label: "url" });
  assert.equal(await page.locator("#input_target_kind").count(), 0, "a constant is not asked for");
  await page.locator("#input_target_url").fill("https://example.com");
  await page.getByRole("button", { name: "Add" }).first().click();
  await run.click();
  await untilTrue("the second call is recorded", async () => (await calls()).length === 2);
  await checkPage(page, "a filled form");
  assert.deepEqual(await input(), {
    code: "12345",
    target: { kind: "url", url: "https://example.com" },
    names: [""],
  });
  assert.deepEqual(errors, []);
});
