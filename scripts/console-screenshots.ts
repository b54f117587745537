// Makes docs/images/console/*.png: runs the server with a scripted model, and shows its console in Chromium.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { BrowserContext } from "playwright-core";
import { startCli, until, type Place } from "../test/flows/support/cli.ts";
import { startServe, type ServedPlace } from "../test/flows/support/serve.ts";
import { openConsole, startBrowser, type ConsolePage } from "../test/long/support/console.ts";

const FOLDER = "docs/images/console";
const LIGHT = { width: 1120, height: 820, scheme: "light" } as const;
const NARROW = { width: 360, height: 700, scheme: "dark" } as const;

const STORY = [
  { text: "I run the **tests** first.", calls: [{ name: "shell", input: { command: "sh test.sh" } }] },
  { text: "`sum` subtracts.", calls: [{ name: "read_file", input: { path: "sum.ts" } }] },
  {
    text: "I make it add.",
    calls: [{ name: "edit_file", input: { path: "sum.ts", old_string: "a - b", new_string: "a + b" } }],
  },
  { text: "Now it adds." },
];

const endings: (() => unknown)[] = [];
const context = { after: (end: () => unknown) => void endings.push(end) } as unknown as TestContext;
try {
  const place = createProject();
  const served = await startServe(context, place, ["--model", `scripted/${join(place.home, "story.jsonl")}`]);
  const browser = await startBrowser(context);
  await showDemo(place, browser);
  mkdirSync(FOLDER, { recursive: true });
  await makeCalls(served);
  const opened = await openConsole(browser, served.address, LIGHT);
  await chat(opened);
  await show(opened, place);
  const narrow = await openConsole(browser, served.address, NARROW);
  await narrow.show("calls");
  await narrow.page.getByRole("link", { name: "read_file" }).first().waitFor();
  await save(narrow, "narrow");
  await served.stop();
} finally {
  for (const end of endings.toReversed()) await end();
}

/** The overview and the waterfall of `toolwright demo`, once its sessions have ended. */
async function showDemo(place: Place, browser: BrowserContext): Promise<void> {
  const { child, shown, finished } = startCli(place, ["demo", "--no-open"]);
  endings.push(() => child.kill("SIGKILL"));
  await until("the address is printed", () => /token=\S+\n/.test(shown.stdout));
  const demo = await openConsole(browser, new URL(shown.stdout.trim()), { ...LIGHT, width: 1280 });
  await demo.show("sessions");
  await demo.page.getByRole("link", { name: /Look at prices.*done/s }).click();
  await demo.page.getByRole("tab", { name: "Waterfall" }).click();
  await demo.page.getByText("First read the prices").waitFor();
  await save(demo, "waterfall");
  await demo.show("overview");
  await demo.page.getByText("Last sessions").waitFor();
  await demo.page.getByRole("link", { name: /Which TODO/ }).waitFor();
  await save(demo, "overview");
  child.kill("SIGINT");
  await finished;
}

function createProject(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "demo-")));
  endings.push(() => rmSync(root, { recursive: true, force: true }));
  const [folder, home] = [join(root, "shop"), join(root, "home")];
  for (const one of [folder, home]) mkdirSync(one, { mode: 0o700 });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write("sum.ts", "export const sum = (a: number, b: number) => a - b;\n");
  write("test.sh", "echo 'sum(1, 2): expected 3, got -1'\nexit 1\n");
  writeFileSync(join(home, "story.jsonl"), STORY.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return { folder, home, write };
}

async function makeCalls(served: ServedPlace): Promise<void> {
  const run = (name: string, input: Readonly<Record<string, string>>) =>
    served.send<"run">("POST", "/api/calls", { name, input });
  await run("glob", { pattern: "**/*.ts" });
  await run("grep", { pattern: "sum" });
  await run("read_file", { path: "missing.ts" });
  await run("shell", { command: "git status" });
  await Promise.all(["sum.ts", "test.sh"].map((path) => run("read_file", { path })));
}

async function chat({ page, show: open, ...rest }: ConsolePage): Promise<void> {
  await open("chat");
  await page.getByRole("button", { name: "New chat" }).click();
  await page.getByLabel("Message").fill("Make the tests pass.");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /^Run sh test/ }).waitFor();
  await page.locator(".approval .primary:enabled").click();
  await page.getByRole("heading", { name: /^Edit sum/ }).waitFor();
  await page.locator(".approval .primary:enabled").waitFor();
  await save({ page, show: open, ...rest }, "chat");
  await page.locator(".approval .primary:enabled").click();
  await page.getByText("Now it adds.").waitFor();
}

async function show(shown: ConsolePage, place: Place): Promise<void> {
  const { page, show: open } = shown;
  const waiting = startCli(place, ["call", "shell", "command=npm publish --access public", "--queue"]);
  endings.push(() => waiting.child.kill());
  await open("approvals");
  await page.getByRole("heading", { name: /^Run npm publish/ }).waitFor();
  await page.locator(".approval .primary:enabled").waitFor();
  await save(shown, "approvals");
  await open("calls");
  await page.getByRole("link", { name: "edit_file" }).first().waitFor();
  await save(shown, "calls");
  await open("tools/read_file");
  await page.locator("#input_path").fill("sum.ts");
  await page.getByRole("button", { name: "Run read_file" }).click();
  await page.getByLabel("Text for the model").waitFor();
  await save(shown, "tool");
  await open("policy");
  await page.getByRole("textbox", { name: "Command" }).fill("git push --force");
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await page.getByLabel("Explanation").waitFor();
  await save(shown, "policy");
}

async function save({ page }: ConsolePage, name: string): Promise<void> {
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled" });
  console.log(`wrote ${FOLDER}/${name}.png`);
}
