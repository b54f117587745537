// The list of calls in a real browser: a call beside it, filters, columns, exports. Takes about half a minute.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { createPlace } from "../flows/support/cli.ts";
import { startServe } from "../flows/support/serve.ts";
import { checkPage, LOOKS, openConsole, startBrowser, type Look } from "./support/console.ts";

/** A server with three calls: two of files, and one of a command in a session of its own. */
async function openCalls(t: TestContext, look?: Look) {
  const place = createPlace(t);
  place.write("one.txt", "one\n");
  const [browser, served] = await Promise.all([startBrowser(t), startServe(t, place)]);
  const run = (id: string, name: string, input: Readonly<Record<string, string>>, session?: string) =>
    served.send<"run">("POST", "/api/calls", { id, name, input, ...(session !== undefined && { session }) });
  await run("first", "read_file", { path: "one.txt" });
  await run("second", "ls", { path: "." });
  await run("third", "shell", { command: "ls" }, "of-its-own");
  const opened = await openConsole(browser, served.address, look);
  await opened.show("calls");
  await opened.page.getByText("3 calls shown").waitFor();
  return { ...opened, browser, served };
}

test("a call opens beside the list, keys go through the list, and Back closes it", async (t) => {
  const { page, errors, browser, served } = await openCalls(t);
  const drawer = page.getByRole("complementary", { name: "Call" });
  const head = (name: string) => drawer.getByRole("heading", { level: 2, name }).first();
  await page.getByRole("link", { name: "shell", exact: true }).click();
  await head("shell").waitFor();
  await page.getByText("3 calls shown").waitFor();
  await page.keyboard.press("j");
  await head("ls").waitFor();
  assert.match(page.url(), /#\/calls\?call=second/, "the address names the call");
  await page.keyboard.press("k");
  await head("shell").waitFor();
  await checkPage(page, "a call beside the list");
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "one.txt" }).click();
  await head("read_file").waitFor();
  await page.reload();
  await head("read_file").waitFor();
  await page.goBack();
  await drawer.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "shell", exact: true }).click();
  await drawer.getByRole("link", { name: "Open as page" }).click();
  await page.getByRole("heading", { level: 1, name: "shell" }).waitFor();
  assert.deepEqual(errors, []);
  for (const look of LOOKS) {
    const { page: own, show, errors: ownErrors } = await openConsole(browser, served.address, look);
    await show("calls");
    await own.getByRole("link", { name: "read_file", exact: true }).click();
    await own.getByRole("heading", { name: "read_file" }).first().waitFor();
    await own.getByRole("heading", { name: "Execution" }).waitFor();
    assert.equal(await own.getByText("3 calls shown").count(), look.width < 1024 ? 0 : 1);
    await checkPage(own, `a call at ${look.width} px, ${look.scheme}`);
    assert.deepEqual(ownErrors, []);
    await own.close();
  }
});

test("filters and columns are chosen on the page, and the calls that are shown are exported", async (t) => {
  const { page, errors } = await openCalls(t);
  const rows = page.locator(".body-row");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await checkPage(page, "the filters");
  await page.getByLabel("Tool", { exact: true }).selectOption("ls");
  await page.getByText("1 call shown").waitFor();
  await page.getByRole("button", { name: "Remove the filter tool ls" }).click();
  await page.getByText("3 calls shown").waitFor();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Machine or worker").fill("nowhere");
  await page.keyboard.press("Enter");
  await page.getByText("No call matches").waitFor();
  await page.getByRole("button", { name: "Remove the filter machine nowhere" }).click();
  await page.evaluate("window.location.hash = '#/calls?session=of-its-own'");
  await page.getByText("1 call shown").waitFor();
  assert.match(await rows.first().innerText(), /shell/);

  await page.getByRole("button", { name: "Columns" }).click();
  await checkPage(page, "the columns");
  await page.getByRole("checkbox", { name: "Source" }).check();
  await page.getByRole("columnheader", { name: "Source" }).waitFor();
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByRole("columnheader", { name: "Source" }).waitFor();
  assert.match(await rows.first().innerText(), /built-in/);

  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /JSON lines/ }).click(),
  ]);
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\n");
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { readonly callId: string }).callId),
    ["third"],
  );
  assert.deepEqual(errors, []);
});
