import { setTimeout as wait } from "node:timers/promises";
import type { ConsoleMessage, Dialog, Page } from "playwright-core";
import { ToolError } from "../../../core/errors.ts";
import { shortened } from "../../../util/text/shortened.ts";
import type { TreePage } from "./page-tree.ts";
import { type NextNumber, createElements, type Element } from "./tab-elements.ts";

const ACTION_MS = 10_000;
const NAVIGATION_MS = 45_000;
const QUIET_MS = 100;
const MAX_QUIET_MS = 3000;
const POLL_MS = 20;
const MAX_LOGS = 500;
const MAX_LOG = 1000;

/** What a tab has printed to its console. */
export interface LogLine {
  readonly level: string;
  readonly text: string;
}

/** A page of the browser, with what happened on it. */
export type Tab = ReturnType<typeof createTab>;

/** Follows what happens on a page. */
export function createTab(id: string, page: Page, nextNumber: NextNumber) {
  page.setDefaultTimeout(ACTION_MS);
  page.setDefaultNavigationTimeout(NAVIGATION_MS);
  const logs = collectLogs(page);
  const traffic = watchTraffic(page);
  const elements = createElements(page, nextNumber);
  let dialog: Dialog | undefined;
  let opened = Promise.withResolvers<void>();
  let isCrashed = false;
  page.on("crash", () => (isCrashed = true));
  page.on("dialog", (one) => {
    // The user of a browser leaves a page by a decision of their own.
    if (one.type() === "beforeunload") one.accept().catch(() => undefined);
    else {
      dialog = one;
      opened.resolve();
    }
  });
  /** Waits until the page is quiet, or a dialog opens. */
  const settle = (): Promise<void> => Promise.race([untilQuiet(page, traffic), opened.promise]);
  return {
    id,
    page,
    logs: (): readonly LogLine[] => logs,
    clearLogs: (): void => void (logs.length = 0),
    /** The dialog that is open; undefined if none is. */
    dialog: (): Dialog | undefined => dialog,
    isCrashed: (): boolean => isCrashed,
    /**
     * Runs an action and waits until the page is quiet. Returns also when a dialog opens, since the page waits for it. Throws `TOOL_FAILED` if a
     * dialog is open already.
     */
    async act(action: () => Promise<unknown>): Promise<void> {
      if (dialog !== undefined) throw openDialog(dialog);
      opened = Promise.withResolvers();
      const acting = action().then(() => untilQuiet(page, traffic));
      acting.catch(() => undefined);
      await Promise.race([acting, opened.promise]);
    },
    /** Closes the dialog. Throws if there is none. */
    async answer(accept: boolean, text: string | undefined): Promise<void> {
      if (dialog === undefined)
        throw new ToolError("TOOL_FAILED", "no dialog is open", { hint: "go on with other actions" });
      const answered = dialog;
      dialog = undefined;
      opened = Promise.withResolvers();
      await (accept ? answered.accept(text) : answered.dismiss());
      await settle();
    },
    settle,
    /** Numbers the elements, and returns a page of the tree. */
    async tree(at: number): Promise<TreePage> {
      if (dialog !== undefined) throw openDialog(dialog);
      return elements.tree(at);
    },
    /** Returns the element of a number. Throws `TOOL_FAILED` for one that is not on the page any more. */
    element: (number: number): Promise<Element> => elements.find(number),
    /** Numbers the elements, and returns those that have all words of a text. */
    async find(text: string): Promise<TreePage> {
      if (dialog !== undefined) throw openDialog(dialog);
      return elements.search(text);
    },
    /** Remembers the page as it is, unless that document is known already. Never rejects. */
    remember: (): Promise<void> => elements.remember().catch(() => undefined),
    /** Returns how the page differs from what it was when it was last read; undefined for another document, or if it cannot be read. */
    changes: (): Promise<string | undefined> => elements.changes().catch(() => undefined),
  };
}

/** Returns what a dialog says and how to close it. */
export function describeDialog(dialog: Dialog): string {
  const text = JSON.stringify(shortened(dialog.message(), MAX_LOG));
  return `the page waits for its ${dialog.type()} dialog ${text}: browser_action handle_dialog closes it, with accept true or false${
    dialog.type() === "prompt" ? " and text" : ""
  }`;
}

function openDialog(dialog: Dialog): ToolError {
  return new ToolError("TOOL_FAILED", describeDialog(dialog));
}

function collectLogs(page: Page): LogLine[] {
  const logs: LogLine[] = [];
  const add = (level: string, text: string): void => {
    logs.push({ level, text: shortened(text, MAX_LOG) });
    if (logs.length > MAX_LOGS) logs.shift();
  };
  page.on("console", (message: ConsoleMessage) => {
    const { url, lineNumber } = message.location();
    add(message.type(), url === "" ? message.text() : `${message.text()} (${url}:${lineNumber + 1})`);
  });
  page.on("pageerror", (error) => add("error", `uncaught ${error.name}: ${error.message}`));
  return logs;
}

type Traffic = ReturnType<typeof watchTraffic>;

const SHOWN = new Set(["document", "script", "stylesheet", "xhr", "fetch"]);

function watchTraffic(page: Page) {
  const open = new Set<unknown>();
  let last = 0;
  const touch = (): void => void (last = performance.now());
  page.on("request", (request) => {
    touch();
    if (SHOWN.has(request.resourceType())) open.add(request);
  });
  const end = (request: unknown): void => {
    touch();
    open.delete(request);
  };
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  page.on("domcontentloaded", touch);
  return {
    /** Requests that are under way and that change what the page shows. */
    open: (): number => open.size,
    lastAt: (): number => last,
  };
}

/** Waits until the page has loaded nothing for a moment, but not long: some pages never stop. */
async function untilQuiet(page: Page, traffic: Traffic): Promise<void> {
  const start = performance.now();
  await page.waitForLoadState("domcontentloaded").catch(() => undefined);
  for (let now = start; now - start < MAX_QUIET_MS; now = performance.now()) {
    if (traffic.open() === 0 && now - Math.max(start, traffic.lastAt()) >= QUIET_MS) return;
    await wait(POLL_MS);
  }
}
