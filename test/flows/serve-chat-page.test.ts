import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { checkPage, openConsole, startBrowser } from "../long/support/console.ts";
import { createPlace } from "./support/cli.ts";
import { startServe } from "./support/serve.ts";

/** A model server whose answer arrives as the test writes it. */
interface SlowModel {
  readonly address: string;
  /** Resolves with the answer to the next request. */
  next(): Promise<ServerResponse>;
}

async function serveSlowModel(t: TestContext): Promise<SlowModel> {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    // The page asks for the models of the server.
    if (request.method === "GET") {
      response.end(JSON.stringify({ data: [] }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    waiting.push(response);
    server.emit("asked");
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async next() {
      if (waiting.length === 0) await once(server, "asked");
      return waiting.shift() as ServerResponse;
    },
  };
}

function write(response: ServerResponse, content: string, reason: string | null = null): void {
  const choice = { index: 0, delta: { role: "assistant", content }, finish_reason: reason };
  response.write(
    `data: ${JSON.stringify({ id: "a", object: "chat.completion.chunk", choices: [choice] })}\n\n`,
  );
}

/** Opens a chat with a slow model and sends a message. */
async function openChat(t: TestContext) {
  const [place, model, browser] = [createPlace(t), await serveSlowModel(t), await startBrowser(t)];
  const models = { "compatible/slow": { baseUrl: model.address, window: 32_000 } };
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ models }), { mode: 0o600 });
  const served = await startServe(t, place, ["--model", "compatible/slow"]);
  const opened = await openConsole(browser, served.address);
  await opened.show("chat");
  await opened.page.getByRole("button", { name: "New chat" }).click();
  await opened.page.getByRole("textbox", { name: "Message" }).fill("tell me\nall of it");
  await opened.page.getByRole("button", { name: "Send" }).click();
  return { ...opened, browser, served, model, answer: await model.next() };
}

const log = (page: Page) => page.getByRole("log", { name: "Conversation" });
const agent = (page: Page) => log(page).getByRole("article", { name: "Agent" });

const MARKDOWN = `## What I found

It has **two** parts, ~~three~~, see [the page](https://example.com/a) and [no page](javascript:alert(1)).

| name | size |
|---|---:|
| a.ts | 12 |

1. first
2. second
   - nested \`code\`

- [x] done

> quoted

<img src=x onerror="document.title = 'attacked'"> &lt;b&gt; ![a picture](https://example.com/p.png)

\`\`\`ts
const answer: number = 42; // the answer
\`\`\`
`;

test("an answer is shown as Markdown, and nothing in it runs or is loaded", async (t) => {
  const { page, answer, errors } = await openChat(t);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  write(answer, MARKDOWN, "stop");
  answer.end("data: [DONE]\n\n");
  const shown = agent(page);
  await shown.getByRole("heading", { name: "What I found" }).waitFor();
  assert.equal(await shown.getByRole("cell", { name: "12" }).count(), 1);
  assert.equal(await shown.locator("ol > li > ul > li code").innerText(), "code");
  assert.equal(await shown.getByRole("checkbox", { name: "Done" }).isChecked(), true);
  assert.equal(await shown.locator("blockquote").innerText(), "quoted");
  assert.equal(
    await shown.getByRole("link", { name: "the page" }).getAttribute("href"),
    "https://example.com/a",
  );
  assert.equal(await shown.getByRole("link", { name: "no page" }).count(), 0);
  assert.match(await shown.innerText(), /no page \(javascript:alert\(1\)\)/);
  assert.match(await shown.innerText(), /<img src=x onerror=[^]* <b> Image: a picture/);
  assert.equal(await shown.locator("img").count(), 0);
  assert.deepEqual(
    requested.filter((url) => !url.startsWith("http://127.0.0.1")),
    [],
  );
  const code = shown.getByRole("region", { name: "Code in ts" });
  assert.equal(await code.innerText(), "const answer: number = 42; // the answer");
  assert.equal(await code.locator(".syntax-keyword").first().innerText(), "const");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await shown.getByRole("button", { name: "Copy" }).click();
  await shown.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(
    await page.evaluate("navigator.clipboard.readText()"),
    "const answer: number = 42; // the answer",
  );
  assert.equal(
    await log(page).getByRole("article", { name: "You" }).locator("br").count(),
    1,
    "lines stay lines",
  );
  await checkPage(page, "an answer in Markdown");
  assert.deepEqual(errors, []);
});

test("an answer under way is whole after a reload, in a second tab and after Back", async (t) => {
  const { page, answer, browser, served, show } = await openChat(t);
  write(answer, "# A long answer\n\n```js\nconst one = 1;\n");
  await agent(page).getByRole("heading", { name: "A long answer" }).waitFor();
  const place = new URL(page.url());

  await page.reload();
  await agent(page).getByText("const one = 1;").waitFor();
  write(answer, "const two = 2;\n```\n\nAfter the code.\n");
  await agent(page).getByText("After the code.").waitFor();
  assert.equal(
    await agent(page).getByRole("region", { name: "Code in js" }).innerText(),
    "const one = 1;\nconst two = 2;",
  );

  const other = await openConsole(browser, served.address);
  await other.show(place.hash.slice(2));
  await agent(other.page).getByText("After the code.").waitFor();

  await show("calls");
  write(answer, "\nWhile away.\n");
  await agent(other.page).getByText("While away.").waitFor();
  await page.goBack();
  await agent(page).getByText("While away.").waitFor();

  write(answer, "\nThe end.", "stop");
  answer.end("data: [DONE]\n\n");
  for (const one of [page, other.page]) {
    await agent(one).getByText("The end.").waitFor();
    await one.locator("[aria-busy=true]").waitFor({ state: "detached" });
    const text = await agent(one).innerText();
    for (const part of ["A long answer", "const one", "const two", "After the code", "While away", "The end"])
      assert.equal(text.split(part).length, 2, `${part} is shown once: ${text}`);
    assert.equal(await agent(one).count(), 1);
  }
});
