import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, type TestContext } from "node:test";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

/** Long enough for a loaded machine. */
const TIMEOUT_MS = 60_000;
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

let started: Promise<{ readonly browser: Browser; readonly context: BrowserContext }> | undefined;
after(async () => (await started)?.browser.close());
/** A tab that the tests before have left: the console loads in its process with a third of the work. */
let idle: Page | undefined;

/** Returns the windows of this process's Chromium, whose tabs end with the test. Root has no sandbox of Chromium. */
export async function startBrowser(t: TestContext): Promise<BrowserContext> {
  started ??= launch();
  const { context } = await started;
  t.after(async () => {
    const [first, ...others] = context.pages();
    await Promise.all(others.map((page) => page.close()));
    await first?.goto("about:blank");
    for (const event of ["console", "pageerror", "request"]) first?.removeAllListeners(event);
    await Promise.all([context.clearCookies(), context.clearPermissions()]);
    idle = first;
  });
  return context;
}

async function launch() {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const context = await browser.newContext({ reducedMotion: "reduce" });
  context.setDefaultTimeout(TIMEOUT_MS);
  return { browser, context };
}

export interface Look {
  readonly width: number;
  /** Default: 900. */
  readonly height?: number;
  readonly scheme: "light" | "dark";
}

export const LOOKS: readonly Look[] = [360, 390, 1024, 1440].flatMap((width) => [
  { width, scheme: "light" as const },
  { width, scheme: "dark" as const },
]);

/** The pages of the console. */
export const PAGES = [
  "overview",
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

/** Opens the console in a tab, with the token of the address, as a person does. Tabs share their cookies. */
export async function openConsole(
  browser: BrowserContext,
  address: URL,
  { width, height = 900, scheme }: Look = { width: 1440, scheme: "light" },
): Promise<ConsolePage> {
  const page = idle ?? (await browser.newPage());
  idle = undefined;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme });
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
