import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { chromium, type Browser, type Page } from "playwright-core";

/** Long enough for a loaded machine. */
const TIMEOUT_MS = 60_000;
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** Starts Chromium, which ends with the test. Root has no sandbox of Chromium. */
export async function startBrowser(t: TestContext): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  t.after(() => browser.close());
  return browser;
}

export interface Look {
  readonly width: number;
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
  show(path: string): Promise<void>;
}

/** Opens the console with the token of the address, as a person does. */
export async function openConsole(
  browser: Browser,
  address: URL,
  { width, scheme }: Look = { width: 1440, scheme: "light" },
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(address.href);
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor({ state: "attached" });
  return {
    page,
    errors,
    async show(path) {
      await page.evaluate((to) => (window.location.hash = `/${to}`), path);
      await page.getByRole("heading", { level: 1 }).waitFor();
    },
  };
}

/** Fails on a serious violation of accessibility, and on a page that is wider than the window. */
export async function checkPage(page: Page, name: string): Promise<void> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { readonly axe: { run(): Promise<AxeReport> } };
    const { violations } = await axe.run();
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      at: nodes.map(({ target }) => target.join(" ")),
    }));
  });
  const serious = found.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious, [], name);
  const isWide = await page.evaluate(() =>
    [document.documentElement, document.querySelector("main")].some(
      (box) => box !== null && box.scrollWidth > box.clientWidth,
    ),
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
