// The chat of the console with a scripted model, in a real browser. About half a minute.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import type { AnswerOf } from "../../src/app/http/api.ts";
import { createPlace } from "../flows/support/cli.ts";
import { startServe } from "../flows/support/serve.ts";
import { untilTrue } from "../support/running.ts";
import { checkPage, LOOKS, openConsole, startBrowser } from "./support/console.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAIT = "echo begun; while [ ! -e goes-on ]; do sleep 0.1; done; echo ended";

async function openChat(t: TestContext, answers: readonly object[]) {
  const place = createPlace(t);
  const lines = (all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join("");
  place.write("script.jsonl", lines(answers));
  place.write("other.jsonl", lines([{ text: "I am the other one.", repeat: true }]));
  const model = (name: string): string => `scripted/${join(place.folder, name)}`;
  const [browser, served] = await Promise.all([
    startBrowser(t),
    startServe(t, place, ["--model", model("script.jsonl")]),
  ]);
  const opened = await openConsole(browser, served.address);
  await opened.show("chat");
  await opened.page.getByRole("button", { name: "New chat" }).click();
  await opened.page.getByLabel("Message").waitFor();
  return { ...opened, place, served, browser, other: model("other.jsonl") };
}

/** Longer than an event of the stream may be, and short enough for the model. */
const NOTES = `one\n${"two ".repeat(68_000)}`;

const idOf = (page: Page): string => new URL(page.url()).hash.split("/").at(-1) ?? "";

test("a pasted image and an attached text are sent, and a message is sent again and edited in a copy", async (t) => {
  const { page, served, browser, errors, other } = await openChat(t, [{ text: "I see it.", repeat: true }]);
  const message = page.getByLabel("Message", { exact: true });
  await checkPage(page, "a new chat");
  await page.getByRole("button", { name: /every TODO/ }).click();
  assert.match(
    await message.inputValue(),
    /every TODO/,
    "a suggestion is put into the message, and not sent",
  );
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob("${PIXEL}"), (one) => one.codePointAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "shot.png", { type: "image/png" }));
    document.querySelector("textarea").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  })()`);
  await page.getByText("shot.png").waitFor();
  await page
    .getByLabel("Files to attach")
    .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from(NOTES) });
  await page.getByText("notes.txt").waitFor();
  await checkPage(page, "a message with attachments");
  await message.fill("What is this?");
  await page.keyboard.press("Enter");
  await page.getByText("I see it.").waitFor();
  const first = idOf(page);
  const { body } = await served.send<"session">("GET", `/api/sessions/${first}`);
  const [sent] = userMessages(body);
  assert.deepEqual(sent, [
    { type: "text", text: "What is this?" },
    { type: "image", data: PIXEL, mimeType: "image/png" },
    { type: "text", text: `File notes.txt\n${NOTES}` },
  ]);
  await page.getByRole("meter", { name: "Context in use" }).waitFor();

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByLabel("Changed message").fill("What is that?");
  await page.getByRole("button", { name: "Send" }).first().click();
  await page.waitForURL((url) => !url.hash.includes(first));
  await page.getByText("I see it.").waitFor();
  const copy = await served.send<"session">("GET", `/api/sessions/${idOf(page)}`);
  assert.deepEqual(userMessages(copy.body), [
    [{ type: "text", text: "What is that?" }, ...(sent ?? []).slice(1)],
  ]);
  const before = await served.send<"session">("GET", `/api/sessions/${first}`);
  assert.equal(before.body.entries.length, body.entries.length, "the first conversation stays as it is");

  const second = idOf(page);
  await page.getByRole("button", { name: "Retry" }).click();
  await page.waitForURL((url) => !url.hash.includes(second));
  await page.getByText("I see it.").waitFor();

  const { body: chat } = await served.send<"setChatModel">("PUT", `/api/chats/${idOf(page)}/model`, {
    model: other,
  });
  assert.equal(chat.model, other);
  await message.fill("And who are you?");
  await page.keyboard.press("Enter");
  await page.getByText("I am the other one.").waitFor();

  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Title").fill("About a picture");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "About a picture", level: 1 }).waitFor();
  for (const look of LOOKS.filter(({ width }) => width === 390 || width === 1440)) {
    const { page: own, show } = await openConsole(browser, served.address, look);
    await show(`chat/${idOf(page)}`);
    await own.getByText("I am the other one.").waitFor();
    await checkPage(own, `a chat at ${look.width} px, ${look.scheme}`);
    await own.close();
  }
  assert.deepEqual(errors, []);

  await page.route("**/messages", (route) => route.abort(), { times: 1 });
  await message.fill("Is it lost?");
  await page.keyboard.press("Enter");
  await page.getByText("Not sent: The server does not answer").waitFor();
  assert.equal(await message.inputValue(), "Is it lost?");
  assert.equal(await page.getByRole("button", { name: "Stop" }).count(), 0, "no task runs");
  await page.keyboard.press("Enter");
  await page.getByText("Is it lost?").and(page.locator(".message *")).waitFor();
});

function userMessages({ entries }: AnswerOf<"session">): readonly unknown[] {
  return entries.flatMap((entry) =>
    entry.kind === "message" && entry.message.role === "user" ? [entry.message.content] : [],
  );
}

test("an approval in a chat is answered by its key, and the output of its command arrives as it is printed", async (t) => {
  const { page, place, errors } = await openChat(t, [
    { text: "I run it.", calls: [{ name: "shell", input: { command: WAIT } }] },
    { text: "It has ended." },
  ]);
  await page.getByLabel("Message", { exact: true }).fill("a task");
  await page.keyboard.press("Enter");
  const approve = page.getByRole("button", { name: /^Approve/ });
  await approve.waitFor();
  await page.getByLabel("Message", { exact: true }).pressSequentially("and add");
  assert.equal(await approve.count(), 1, "a key that is typed into the message decides nothing");
  await page.getByLabel("Message", { exact: true }).fill("");
  await page.keyboard.press("Escape");
  await untilTrue("the buttons take an answer", () => approve.isEnabled());
  await page.keyboard.press("a");
  await page.getByRole("log", { name: "Output" }).filter({ hasText: "begun" }).waitFor();
  assert.equal(existsSync(join(place.folder, "goes-on")), false);
  place.write("goes-on", "");
  await page.getByText("It has ended.").waitFor();
  assert.deepEqual(errors, []);
});
