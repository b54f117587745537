import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkPage, openConsole, startBrowser } from "../long/support/console.ts";
import { createPlace, startCli } from "./support/cli.ts";
import { startServe } from "./support/serve.ts";

// test/long/console.test.ts has every page.
test("the page approves a call of the command line that waits", async (t) => {
  const place = createPlace(t);
  const [browser, served] = await Promise.all([startBrowser(t), startServe(t, place)]);
  const { page, show, errors } = await openConsole(browser, served.address, { width: 360, scheme: "dark" });
  await show("approvals");
  const call = startCli(place, ["call", "shell", "command=touch approved", "--queue"]);
  t.after(() => call.child.kill("SIGKILL"));
  await page.getByText("shell wants to run").waitFor();
  await checkPage(page, "an approval");
  await page.getByRole("button", { name: /^Approve/ }).click();
  assert.equal((await call.finished).code, 0);
  assert.ok(existsSync(join(place.folder, "approved")));
  await page.getByText("Nothing waits for approval").waitFor();
  assert.deepEqual(errors, []);
  await served.stop();
  // A new server does not know the cookie of this page.
  await page.getByRole("alert").getByText("and open the address that it prints").waitFor();
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

test("every kind of sandbox is listed, works or not", async (t) => {
  const served = await startServe(t, createPlace(t));
  const { body } = await served.send<"sandbox">("GET", "/api/sandbox");
  const own = process.platform === "darwin" ? "seatbelt" : "bubblewrap";
  assert.deepEqual(
    body.kinds.map(({ kind }) => kind),
    [own, "srt", "podman", "docker"],
  );
});
