import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { JsonObject } from "../../src/core/json.ts";
import { checkPage, openConsole, startBrowser } from "../long/support/console.ts";
import {
  assertNothingHidden,
  assertVisible,
  HOSTILE_TEXT,
  REVERSED,
} from "../support/generators/hostile-texts.ts";
import { createPlace, startCli, until } from "./support/cli.ts";
import { startServe } from "./support/serve.ts";

// test/long/console.test.ts has every page.
test("the page approves a call of the command line that waits", async (t) => {
  const place = createPlace(t);
  const [browser, served] = await Promise.all([startBrowser(t), startServe(t, place)]);
  const { page, show, errors } = await openConsole(browser, served.address, { width: 360, scheme: "dark" });
  await show("approvals");
  const call = startCli(place, ["call", "shell", "command=touch approved", "--queue"]);
  t.after(() => call.child.kill("SIGKILL"));
  await page.getByRole("heading", { name: "Run touch approved" }).waitFor();
  await checkPage(page, "an approval");
  await page.getByRole("button", { name: /^Approve/ }).click();
  assert.equal((await call.finished).code, 0);
  assert.ok(existsSync(join(place.folder, "approved")));
  await page.getByText("Approved here, once.").waitFor();
  assert.deepEqual(errors, []);
});

test("a browser stays logged in when the server restarts, and a changed token logs it out with a page to log in again", async (t) => {
  const place = createPlace(t);
  const [browser, first] = await Promise.all([startBrowser(t), startServe(t, place)]);
  const start = () => startServe(t, place, ["--port", first.address.port]);
  const { page, show } = await openConsole(browser, first.address);
  await first.stop();
  await page.getByRole("alert").getByText("reconnects as soon as the server runs").waitFor();
  const second = await start();
  await page.locator("[role=status]").filter({ hasText: "Live" }).waitFor();
  await show("policy");
  await second.stop();
  rmSync(join(place.home, "http-token-admin"));
  const third = await start();
  await page.getByRole("alert").getByRole("link", { name: "Log in again" }).click();
  const font = await page.evaluate(
    "document.fonts.load('14px \"Inter Variable\"').then(([font]) => font?.status)",
  );
  assert.equal(font, "loaded", "the page has the font of the console, without a token");
  await page.getByLabel("Token").fill("wrong");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("alert").getByText("This token is not valid").waitFor();
  await page.getByLabel("Token").fill(third.token);
  await page.keyboard.press("Enter");
  await page.locator("[role=status]").filter({ hasText: "Live" }).waitFor();
  assert.equal(new URL(page.url()).search, "", "the token does not stay in the address");
});

test("no page has a hidden character, and an input is edited with each of them as an escape", async (t) => {
  const place = createPlace(t);
  const [browser, served] = await Promise.all([startBrowser(t), startServe(t, place)]);
  const { page, show, errors } = await openConsole(browser, served.address);
  const start = async (id: string, name: string, input: JsonObject): Promise<void> => {
    const { status } = await served.send<"run">("POST", "/api/calls", { id, name, input, wait: false });
    assert.equal(status, 202);
  };
  const input = {
    path: `a${HOSTILE_TEXT}.ts`,
    content: `harmless\u{202e} ;live od\u{202c} text\n${HOSTILE_TEXT}`,
  };
  await show("approvals");
  await start("reversed", "shell", { command: REVERSED });
  const command = page.getByRole("region", { name: "Command" });
  await command.waitFor();
  assert.equal(
    await command.innerText(),
    String.raw`echo '\u{202e}' ; touch pwned #\u{2066} 'enod' ohce\u{2069}`,
  );
  assertNothingHidden(await shownOn(page), "a command");
  await page.getByRole("button", { name: /^Deny/ }).click();
  await page.keyboard.press("Enter");
  await page.getByText("Denied here.").waitFor();

  await start("file", "write_file", input);
  await page.getByRole("button", { name: /^Next of 1/ }).click();
  await page.getByRole("heading", { name: /^Create / }).waitFor();
  assertVisible(await page.getByRole("region", { name: "What would change" }).innerText(), "a diff");
  await page.getByRole("button", { name: "Edit input" }).click();
  const edited = await page.getByLabel("Input to run instead").inputValue();
  assertVisible(edited, "an edited input");
  assert.deepEqual(JSON.parse(edited), { ...input, create_only: false });
  await page.getByRole("button", { name: "Discard the edit" }).click();
  assertVisible(await page.getByRole("group", { name: "Allow" }).innerText(), "the choices");
  await page.getByLabel(/^Always allow write_file/).click();
  assertVisible(await shownOn(page), "a waiting file");
  await page.getByRole("button", { name: /^Approve/ }).click();
  await page.getByText("Approved here, and calls like it from now on.").waitFor();
  const written = join(place.folder, input.path);
  await until("the approved file is written", () => existsSync(written));
  assert.equal(readFileSync(written, "utf8"), input.content);

  for (const path of ["calls/reversed", "calls/file", "policy"]) {
    await show(path);
    await page
      .getByText(String.raw`\u{202e}`)
      .first()
      .waitFor();
    assertNothingHidden(await shownOn(page), path);
  }
  for (const path of ["calls", "sessions", "chat", "fleet", "charts"]) {
    await show(path);
    assertNothingHidden(await shownOn(page), path);
  }
  assert.deepEqual(errors, []);
});

/** Returns what a person reads on a page, or is read to. */
async function shownOn(page: Page): Promise<string> {
  return page.evaluate(
    `[document.title, document.body.innerText, ...[...document.querySelectorAll("*")].flatMap((one) =>
      ["title", "aria-label", "placeholder", "alt"].map((name) => one.getAttribute(name) ?? ""))].join("\\n")`,
  );
}

test("every kind of sandbox is listed, works or not", async (t) => {
  const served = await startServe(t, createPlace(t));
  const { body } = await served.send<"sandbox">("GET", "/api/sandbox");
  const own = process.platform === "darwin" ? "seatbelt" : "bubblewrap";
  assert.deepEqual(
    body.kinds.map(({ kind }) => kind),
    [own, "srt", "podman", "docker"],
  );
});
