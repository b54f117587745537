import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { checkPage, openConsole, startBrowser } from "../long/support/console.ts";
import { untilTrue } from "../support/running.ts";
import { createPlace } from "./support/cli.ts";
import { startServe } from "./support/serve.ts";

/** Starts a server with calls that wait, and shows the approvals. */
async function openApprovals(t: TestContext, names: readonly string[]) {
  const [browser, served] = await Promise.all([startBrowser(t), startServe(t, createPlace(t))]);
  const waiting = async (): Promise<readonly string[]> => {
    const { body } = await served.send<"approvals">("GET", "/api/approvals");
    return body.approvals.map(({ request }) => request.callId);
  };
  const queue = async (id: string): Promise<void> => {
    const input = { path: `${id}.txt`, content: "x" };
    await served.send<"run">("POST", "/api/calls", { id, name: "write_file", input, wait: false });
    await untilTrue(`${id} waits`, async () => (await waiting()).includes(id));
  };
  for (const name of names) await queue(name);
  const console = await openConsole(browser, served.address);
  await console.show("approvals");
  return { ...console, browser, served, waiting, queue };
}

const approve = (page: Page) => page.getByRole("button", { name: /^Approve/ });
const answered = (page: Page) => page.locator(".answered");

test("one gesture approves at most one call: a double click, a held key, a click on what has just changed", async (t) => {
  const { page, waiting, queue, served, errors } = await openApprovals(t, ["one", "two", "three", "four"]);
  // A click does not wait until the button can be pressed: a person does not either.
  const point = await centreOf(approve(page));
  await page.locator(".approval .primary:enabled").waitFor();
  await page.mouse.click(...point);
  await page.mouse.click(...point, { delay: 20 });
  await answered(page).getByText("Approved here, once.").waitFor();
  assert.deepEqual(await waiting(), ["two", "three", "four"]);
  assert.match(
    await page.getByRole("article").innerText(),
    /one\.txt/,
    "the card of the answered call stays",
  );

  await page.keyboard.press("j");
  await page.getByRole("article").getByText("two.txt").first().waitFor();
  for (const _ of Array.from({ length: 30 })) await page.keyboard.down("a");
  await page.keyboard.up("a");
  await page.locator(".approval .primary:enabled").waitFor();
  for (const _ of Array.from({ length: 30 })) await page.keyboard.down("a");
  await page.keyboard.up("a");
  await answered(page).getByText("Approved here, once.").waitFor();
  assert.deepEqual(await waiting(), ["three", "four"]);

  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await page.mouse.click(...(await centreOf(approve(page))));
  assert.deepEqual(await waiting(), ["three", "four"], "what has just changed cannot be answered yet");

  // Somebody else answers the call that is shown, while the reason of a denial is typed.
  await page.getByRole("button", { name: /^Deny/ }).click();
  await page.getByLabel(/Reason for the caller/).fill("not today");
  const [id] = await served
    .send<"approvals">("GET", "/api/approvals")
    .then(({ body }) => body.approvals.map((one) => one.id));
  await served.send<"decide">("POST", `/api/approvals/${id}`, { choice: "once" });
  await answered(page).getByText("approved by the console or API, with the admin token").waitFor();
  await answered(page).getByText("Done").waitFor();
  assert.match(await page.getByRole("article").innerText(), /three\.txt/);
  await page.keyboard.press("Enter");
  await checkPage(page, "an answered approval");
  assert.deepEqual(await waiting(), ["four"]);

  await page.getByRole("button", { name: /^Next of 1/ }).click();
  await page.waitForURL(/#\/approvals\/.+/);
  await page.reload();
  await page.getByRole("article").getByText("four.txt").first().waitFor();
  assert.match(await page.title(), /^\(1\) /);
  await page
    .getByRole("radio", { name: /^Always allow/ })
    .first()
    .check();
  await approve(page).click();
  await answered(page).getByRole("button", { name: "Undo" }).click();
  await answered(page).getByText("The saved rule was removed.").waitFor();
  const { body } = await served.send<"grants">("GET", "/api/grants");
  assert.deepEqual(body.grants, []);
  await queue("five");
  assert.deepEqual(await waiting(), ["five"], "without the rule, a call like it waits again");
  assert.deepEqual(errors, []);
});

async function centreOf(button: ReturnType<typeof approve>): Promise<[number, number]> {
  const box = await button.boundingBox();
  assert.ok(box !== null);
  return [box.x + box.width / 2, box.y + box.height / 2];
}
