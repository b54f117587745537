// The forms of the tools that real MCP servers list, in a real browser: untouched, with what is required, and with everything. About ten minutes on a machine without other load.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { JsonObject } from "../../src/core/json.ts";
import { createPlace } from "../flows/support/cli.ts";
import { startServe, type ServedPlace } from "../flows/support/serve.ts";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { untilTrue } from "../support/running.ts";
import { simplified } from "../../web/pages/tools/form/simplified.ts";
import { checkPage, LOOKS, openConsole, startBrowser } from "./support/console.ts";
import { planOf, type FieldPlan } from "./support/form-plans.ts";

const DATA = "../shared/data/mcp-tools.jsonl";
const isAbsent = existsSync(DATA) ? false : "../shared/data is not there";

interface Listed {
  readonly server: string;
  readonly tool: { readonly name: string; readonly inputSchema: JsonObject };
}

test(
  "every form of the corpus can be left out and filled in, as its schema says",
  { skip: isAbsent, timeout: 3_600_000 },
  async (t) => {
    const listed = readFileSync(DATA, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Listed);
    const tools = listed.map(({ tool }, index) => ({ ...tool, name: `t${index}` }));
    const place = createPlace(t);
    const raw = rawServer(t, { tools: tools.map((tool) => toolOf(tool.name, tool)) });
    const { command, args } = raw.server;
    const settings = JSON.stringify({ mcpServers: { raw: { command, args } } });
    writeFileSync(join(place.home, "config.json"), settings, { mode: 0o600 });
    const [browser, served] = await Promise.all([startBrowser(t), startServe(t, place)]);
    const names = await untilListed(served, tools.length);
    const { page, errors, show } = await openConsole(browser, served.address);
    await page.evaluate(readFileSync("test/long/support/fill-form.js", "utf8"));
    const faults: string[] = [];
    for (const name of names) {
      const { body } = await served.send<"tool">("GET", `/api/tools/${name}`);
      const schema = simplified(body.tool.input);
      const server = listed[Number(/\d+$/.exec(name)?.[0])];
      const about = `${server?.server} ${server?.tool.name} (${name})`;
      await show(`tools/${encodeURIComponent(name)}`);
      await page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
      const untouched = await problemsOf(served, page, name);
      const { required = [] } = body.tool.input as { readonly required?: readonly string[] };
      const wrong = untouched.filter(({ path }) => !required.includes(path.split("/")[1] ?? ""));
      if (wrong.length > 0) faults.push(`${about}, untouched: ${JSON.stringify(wrong)}`);
      for (const isWhole of [false, true]) {
        const plan = planOf(schema, { isWhole });
        const unfilled = await fill(page, plan);
        const problems = await problemsOf(served, page, name);
        const what = isWhole ? "everything" : "what is required";
        if (unfilled.length > 0 || problems.length > 0)
          faults.push(`${about}, ${what}: ${JSON.stringify([...unfilled, ...problems])}`);
      }
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(errors, []);
  },
);

test("a form of hostile texts shows every character, and is as wide as its page", async (t) => {
  const hostile = `<script>\u{202e}\u{200b}${"W".repeat(200)}`;
  const either = [{ const: hostile }, { type: "integer" }];
  const properties = {
    [hostile]: { type: "string", description: hostile, enum: [hostile, "b"] },
    either: { title: hostile, anyOf: either },
    nested: { type: "object", title: hostile, properties: { a: { type: "string", title: hostile } } },
  };
  const tool = { description: hostile, inputSchema: { type: "object", properties } };
  const place = createPlace(t);
  const { command, args } = rawServer(t, { tools: [toolOf("echo", tool)] }).server;
  const settings = JSON.stringify({ mcpServers: { raw: { command, args } } });
  writeFileSync(join(place.home, "config.json"), settings, { mode: 0o600 });
  const [browser, served] = await Promise.all([startBrowser(t), startServe(t, place)]);
  const [name] = await untilListed(served, 1);
  for (const look of LOOKS) {
    const { page, show } = await openConsole(browser, served.address, look);
    await show(`tools/${name}`);
    await page.getByText("Kind of value").waitFor();
    await checkPage(page, `a hostile form at ${look.width} px, ${look.scheme}`);
    assert.doesNotMatch(await page.evaluate<string>("document.body.innerText"), /[\u{202e}\u{200b}]/u);
    await page.close();
  }
});

async function untilListed(served: ServedPlace, count: number): Promise<readonly string[]> {
  let names: readonly string[] = [];
  await untilTrue("the server's tools are listed", async () => {
    const { body } = await served.send<"tools">("GET", "/api/tools");
    names = body.tools.filter(({ source }) => source === "mcp:raw").map(({ name }) => name);
    return names.length === count;
  });
  return names;
}

/** Fills the form that is shown, and returns what it could not. */
function fill(page: Page, plan: FieldPlan): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`fillForm(${JSON.stringify(plan)})`);
}

/** Returns what the server says of the input that the form has now. */
async function problemsOf(served: ServedPlace, page: Page, name: string) {
  const link = await page.getByRole("link", { name: "Explain", exact: true }).getAttribute("href");
  const input = JSON.parse(new URLSearchParams(link?.split("?")[1]).get("input") ?? "") as JsonObject;
  const { body } = await served.send<"explain">("POST", "/api/policy/explain", { name, input });
  const { problems = [] } = (body.fault?.details ?? {}) as {
    readonly problems?: readonly { readonly path: string; readonly expected: string; readonly got: string }[];
  };
  return problems;
}
