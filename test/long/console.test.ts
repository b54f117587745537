import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { untilTrue } from "../support/running.ts";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { createPlace, runCli, startCli, until, type Place, type Running } from "../flows/support/cli.ts";
import type { BrowserContext } from "playwright-core";
import { checkPage, LOOKS, openConsole, PAGES, startBrowser, type ConsolePage } from "./support/console.ts";
import { startServe } from "../flows/support/serve.ts";

// About 90 seconds.

const SCRIPT = [
  {
    text: "I shall make the file.",
    calls: [{ name: "write_file", input: { path: "said.txt", content: "hi" } }],
  },
  { text: "The file is made." },
];

interface Scene extends ConsolePage {
  readonly place: Place;
  readonly browser: BrowserContext;
  readonly address: URL;
}

/** The real server with a scripted model and an MCP server, and its console in the real browser. */
async function openScene(t: TestContext): Promise<Scene> {
  const place = createPlace(t);
  place.write("notes.txt", "one\ntwo\n");
  place.write("script.jsonl", SCRIPT.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const raw = rawServer(t, { tools: [toolOf("echo")] });
  const { command, args } = raw.server;
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers: { raw: { command, args } } }), {
    mode: 0o600,
  });
  assert.equal((await runCli(place, ["mcp", "test", "raw"])).code, 0);
  raw.plan({ tools: [toolOf("echo", { description: "Now with more." })] });
  const browser = await startBrowser(t);
  const { address } = await startServe(t, place, [
    "--model",
    `scripted/${join(place.folder, "script.jsonl")}`,
  ]);
  return { place, browser, address, ...(await openConsole(browser, address)) };
}

test("the console drives the real server in the real browser", { timeout: 900_000 }, async (t) => {
  const scene = await openScene(t);
  const { page, show } = scene;

  await t.test("a call of the command line waits until the page approves it", async () => {
    const call = startCall(t, scene, "touch approved");
    await show("approvals");
    await page.getByRole("heading", { name: /^Run touch / }).waitFor();
    assert.match(await page.getByRole("region", { name: "Command" }).innerText(), /touch approved/);
    await checkPage(page, "an approval");
    await page.getByRole("button", { name: /^Approve/ }).click();
    assert.equal((await call.finished).code, 0);
    assert.equal(existsSync(join(scene.place.folder, "approved")), true);
    await page.getByText("Approved here, once.").waitFor();
  });

  await t.test("a denial from the page, with keys alone, is the answer of the call", async () => {
    const call = startCall(t, scene, "touch denied");
    await page.getByRole("button", { name: /^Next of 1/ }).click();
    await page.getByRole("heading", { name: "Run touch denied" }).waitFor();
    // The first half second nothing can be answered.
    await untilTrue("the card takes an answer", () =>
      page.getByRole("button", { name: /^Deny/ }).isEnabled(),
    );
    await page.keyboard.press("d");
    await page.getByLabel(/Reason for the caller/).fill("not today");
    await page.keyboard.press("Enter");
    const { code, stderr } = await call.finished;
    assert.equal(code, 3);
    assert.match(stderr, /not today/);
    assert.equal(existsSync(join(scene.place.folder, "denied")), false);
  });

  await t.test("a tool runs from its form, and an invalid field is marked", () => runFromForm(scene));
  await t.test("a live call is followed", () => followCall(scene));
  await t.test("the agent answers through an approval in the chat", () => chat(scene));
  await t.test("a call is explained and allowed from now on", () => explain(scene));
  await t.test("a changed tool of an MCP server is approved", () => approvePin(scene));
  for (const look of LOOKS)
    await t.test(`every page works at ${look.width} px, ${look.scheme}`, async () => {
      const { page: own, show: open, errors } = await openConsole(scene.browser, scene.address, look);
      for (const name of PAGES) {
        await open(name);
        await own
          .getByText(/^Loading .*…$/)
          .first()
          .waitFor({ state: "hidden" });
        await checkPage(own, `${name} at ${look.width} px, ${look.scheme}`);
      }
      for (const [list, link] of [
        ["calls", '[role="table"] a[href^="#/calls/"]'],
        ["sessions", 'main a[href^="#/sessions/"]'],
      ] as const) {
        await open(list);
        await own.locator(link).first().click();
        await own.getByRole("heading", { level: 2 }).first().waitFor();
        await checkPage(own, `one of the ${list} at ${look.width} px, ${look.scheme}`);
      }
      assert.deepEqual(errors, []);
      await own.close();
    });
  await t.test("no step printed an error to the console of the browser", () => {
    assert.deepEqual(scene.errors, []);
  });
});

/** Starts a call that waits for approval. */
function startCall(t: TestContext, { place }: Scene, command: string): Running {
  const running = startCli(place, ["call", "shell", `command=${command}`, "--queue"]);
  t.after(() => running.child.kill("SIGKILL"));
  return running;
}

async function runFromForm({ page, show }: Scene): Promise<void> {
  await show("tools/read_file");
  await page.getByRole("button", { name: "Run read_file" }).click();
  await page
    .getByText(/expected .*, got nothing|expected .*missing|is required/i)
    .first()
    .waitFor();
  await page.locator("#input_path").fill("notes.txt");
  await page.getByRole("button", { name: "Run read_file" }).click();
  await page.getByLabel("Text for the model").filter({ hasText: "two" }).waitFor();
  await checkPage(page, "a tool that ran");
}

async function followCall({ page, show, place }: Scene): Promise<void> {
  await show("tools/shell");
  await page
    .locator("#input_command")
    .fill("echo begun; while [ ! -e goes-on ]; do sleep 0.1; done; echo ended");
  await page.getByRole("button", { name: "Run shell" }).click();
  await page.getByRole("button", { name: /^Approve/ }).click();
  await page.getByRole("link", { name: "the whole call" }).click();
  const drawer = page.getByRole("complementary", { name: "Call" });
  await drawer.getByRole("log", { name: "Output" }).filter({ hasText: "begun" }).waitFor();
  await drawer.getByText("Running").first().waitFor();
  place.write("goes-on", "");
  await drawer.getByLabel("Text for the model").filter({ hasText: "ended" }).waitFor();
}

async function chat({ page, show, place }: Scene): Promise<void> {
  await show("chat");
  await page.getByRole("button", { name: "New chat" }).click();
  await page.getByLabel("Message").fill("Make said.txt");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /^Create / }).waitFor();
  await page.getByRole("button", { name: /^Approve/ }).click();
  await page.getByText("The file is made.").waitFor();
  await until("the file is written", () => existsSync(join(place.folder, "said.txt")));
  assert.equal(readFileSync(join(place.folder, "said.txt"), "utf8"), "hi");
  await checkPage(page, "a chat");
}

async function explain({ page, show, place }: Scene): Promise<void> {
  await show("policy");
  await page.getByRole("textbox", { name: "Command" }).fill("touch later");
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await page.getByLabel("Explanation").getByText("Needs approval").waitFor();
  await page.getByRole("button", { name: "Allow this from now on" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  assert.equal((await runCli(place, ["call", "shell", "command=touch later"])).code, 0);
}

async function approvePin({ page, show }: Scene): Promise<void> {
  await show("sources/mcp%3Araw");
  await page.getByLabel("What changed in echo").filter({ hasText: "Now with more." }).waitFor();
  await page.getByRole("button", { name: "Approve 1 change" }).click();
  await page.getByText("Approved", { exact: true }).waitFor();
}

test("what is searched and chosen is in the address, and a row opens by a click and by keys", async (t) => {
  const place = createPlace(t);
  await runCli(place, ["call", "think", "thought=first"]);
  await runCli(place, ["call", "ls"]);
  await runCli(place, ["call", "think", "thought=second"]);
  const [browser, served] = await Promise.all([startBrowser(t), startServe(t, place)]);
  const { page, show, errors } = await openConsole(browser, served.address);
  await show("calls");
  await page.getByRole("searchbox").fill("think");
  await page.getByRole("button", { name: "Every folder" }).click();
  await page.getByText("2 calls shown").waitFor();
  const state = async (): Promise<readonly (string | null)[]> => [
    await page.getByRole("searchbox").inputValue(),
    await page.getByRole("button", { name: "Every folder" }).getAttribute("aria-pressed"),
  ];
  await page.waitForURL(/text=think/);
  await page.reload();
  await page.getByText("2 calls shown").waitFor();
  assert.deepEqual(await state(), ["think", "true"]);
  const drawer = page.getByRole("complementary", { name: "Call" });
  await page.getByRole("cell", { name: /first/ }).click();
  await drawer.getByRole("heading", { name: "think", level: 2 }).waitFor();
  assert.deepEqual(await state(), ["think", "true"]);
  await drawer.getByRole("link", { name: "Open as page" }).click();
  await page.getByRole("heading", { name: "think", level: 1 }).waitFor();
  assert.match(await page.title(), / · Calls · Toolwright$/);
  await page.goBack();
  await drawer.waitFor();
  await page.goBack();
  await drawer.waitFor({ state: "detached" });
  await page.getByText("2 calls shown").waitFor();
  assert.deepEqual(await state(), ["think", "true"]);
  await page.getByRole("searchbox").blur();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await drawer.getByText("first").first().waitFor();
  assert.match(page.url(), /#\/calls\?.*call=/);
  assert.deepEqual(errors, []);
});

test("a chat whose model has no key says so, and not that the browser is not signed in", async (t) => {
  const place = createPlace(t);
  const model = ["--model", "anthropic/some-model"];
  const [browser, { address }] = await Promise.all([startBrowser(t), startServe(t, place, model)]);
  const { page, show } = await openConsole(browser, address);
  await show("chat");
  await page.getByRole("button", { name: "New chat" }).click();
  await page.getByText("ANTHROPIC_API_KEY is not set").waitFor();
});
