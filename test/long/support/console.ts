import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, type TestContext } from "node:test";
import { chromium, type Browser, type Page } from "playwright-core";

/** Long enough for a loaded machine. */
const TIMEOUT_MS = 60_000;
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

let shared: Promise<Browser> | undefined;
after(async () => (await shared)?.close());

/** Returns the Chromium of this process, whose windows close with the test. Root has no sandbox of Chromium. */
export async function startBrowser(t: TestContext): Promise<Browser> {
  shared ??= chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const browser = await shared;
  t.after(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

export interface Look {
  readonly width: number;
  /** Default: 900. */
  readonly height?: number;
  readonly scheme: "light" | "dark";
}

export const LOOKS: readonly Look[] = [360, 1440].flatMap((width) => [
  { width, scheme: "light" as const },
  { width, scheme: "dark" as const },
]);

/** The pages of the console. */
export const PAGES = [
  "calls",
  "approvals",
  "chat",
  "sessions",
  "agents",
  "tools",
  "sources",
  "policy",
  "charts",
  "sandbox",
  "fleet",
];

/** A page of the console, and the errors that it printed. */
export interface ConsolePage {
  readonly page: Page;
  readonly errors: string[];
  /** Shows a page of the console: `calls`, `tools/shell`. */
  readonly show: (path: string) => Promise<void>;
}

/** Opens the console with the token of the address, as a person does. */
export async function openConsole(
  browser: Browser,
  address: URL,
  { width, height = 900, scheme }: Look = { width: 1440, scheme: "light" },
): Promise<ConsolePage> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(address.href);
  // A narrow window does not show it.
  await page.locator("[role=status]").filter({ hasText: "Live" }).waitFor({ state: "attached" });
  return {
    page,
    errors,
    show: async (path) => {
      await page.evaluate(`window.location.hash = ${JSON.stringify(`/${path}`)}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
    },
  };
}

/** Fails on a serious violation of accessibility, and on a page that is wider than the window. */
export async function checkPage(page: Page, name: string): Promise<void> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeReport>("axe.run()");
  const serious = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target.join(" ")) }));
  assert.deepEqual(serious, [], name);
  const isWide = await page.evaluate<boolean>(
    "[document.documentElement, document.querySelector('main')].some((box) => box?.scrollWidth > box?.clientWidth)",
  );
  assert.equal(isWide, false, `${name} is wider than the window`);
}

interface AxeReport {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}
