import { Script } from "node:vm";
import { setTimeout as wait } from "node:timers/promises";
import type { Request, Response } from "playwright-core";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import { withoutBrackets } from "../../../system/fetch/addresses.ts";
import type { Refused } from "../../../system/fetch/forward-proxy.ts";
import { checkAddresses, portOf } from "../../../system/fetch/guard.ts";
import { defined } from "../../../util/json/defined.ts";
import { attempt } from "../../../util/async/attempt.ts";
import type { OpenBrowser } from "./browser-process.ts";
import type { Outcome } from "./session-browser.ts";
import { takeScreenshot } from "./screenshot.ts";
import type { Tab } from "./tab.ts";
import type { Element } from "./tab-elements.ts";

const POLL_MS = 20;
const REPORT_MS = 500;

/** Opens an address in the tab that is shown, or in a new one if that tab has crashed. */
export async function goTo(open: OpenBrowser, address: string): Promise<Response | null> {
  const url = new URL(address);
  if (url.protocol !== "about:") {
    open.guard.check(url);
    // Resolved here too, so that the answer says why a host is refused.
    await checkAddresses(open.guard, url);
  }
  const crashed = open.tabs.list().length === 0 ? undefined : open.tabs.current();
  const tab = crashed === undefined || crashed.isCrashed() ? await open.tabs.add() : crashed;
  if (crashed?.isCrashed() === true) await crashed.page.close();
  return load(open, tab, url);
}

async function load(open: OpenBrowser, tab: Tab, url: URL): Promise<Response | null> {
  const { page } = tab;
  const before = open.downloads.count();
  const hasDownload = (): boolean => open.downloads.count() > before;
  let last = url.href;
  const follow = (request: Request): void => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) last = request.url();
  };
  const refusal = (): ToolError | undefined => {
    const to = URL.parse(last);
    const isTarget = ({ host, port }: Refused): boolean =>
      to !== null && host === withoutBrackets(to.hostname) && port === portOf(to);
    return open.refused().find(isTarget)?.error;
  };
  let response = null as Response | null;
  page.on("request", follow);
  try {
    await tab.act(async () => {
      response = await page
        .goto(url.href, { waitUntil: "domcontentloaded" })
        .catch(async (error: unknown) => {
          // The address of a file is not shown, but downloaded; that is reported a moment later.
          for (let waited = 0; waited < REPORT_MS && !hasDownload(); waited += POLL_MS) await wait(POLL_MS);
          if (hasDownload()) return null;
          throw refusal() ?? error;
        });
    });
  } finally {
    page.off("request", follow);
  }
  await open.tabs.settle();
  await open.downloads.settle();
  const refused = refusal();
  // A page that was loaded may be of a host to which another connection failed: the proxy answers with 502 if it cannot reach one.
  if (refused !== undefined && (refused.code === "DENIED" || response?.status() === 502)) throw refused;
  return response;
}

/** Returns where the browser is now. */
export async function where(open: OpenBrowser): Promise<Outcome> {
  const tab = open.tabs.current();
  const url = tab.page.url();
  // A page with an open dialog does not answer.
  const title = tab.dialog() === undefined ? await tab.page.title().catch(() => "") : "";
  const data = { url, title, tab_id: tab.id };
  return { text: `${tab.id}: ${url}${title === "" ? "" : ` ${JSON.stringify(title)}`}`, data };
}

/** Returns a page of the tree of the tab that is shown, below a line about where it is. */
export async function describePage(open: OpenBrowser, page: number): Promise<Outcome> {
  const tab = alive(open);
  const here = await where(open);
  if (tab.dialog() !== undefined) return here;
  const { text, pages, shown, total } = await tab.tree(page);
  if (page > pages)
    throw new ToolError("TOOL_FAILED", `there is no page ${page} of the elements`, {
      hint: `the last one is ${pages}`,
    });
  const notice =
    pages === 1
      ? ""
      : `\n[truncated: ${shown} of ${total} elements and texts, page ${page} of ${pages}; the most relevant are on page 1, get_page page=${
          page < pages ? page + 1 : 1
        } shows others]`;
  return {
    text: `${here.text}\n\n${text || "[the page is empty]"}${notice}`,
    data: { ...here.data, page, pages, elements: total },
  };
}

/** Returns the elements and texts of the page that have all words of a text. */
export async function findOnPage(open: OpenBrowser, words: string): Promise<Outcome> {
  const tab = alive(open);
  const here = await where(open);
  if (tab.dialog() !== undefined) return here;
  const { text, pages, shown, total } = await tab.find(words);
  const none = `[none of ${total} elements and texts has ${JSON.stringify(words)}]`;
  const notice = pages === 1 ? "" : `\n[truncated: the first ${shown}; search for more words]`;
  return { text: `${here.text}\n\n${text || none}${notice}`, data: { ...here.data, shown, elements: total } };
}

/** Returns the tab that is shown. Throws if it has crashed. */
export function alive(open: OpenBrowser): Tab {
  const tab = open.tabs.current();
  if (!tab.isCrashed()) return tab;
  throw new ToolError("TOOL_CRASHED", `the page of the tab ${tab.id} has crashed`, {
    hint: "navigate opens an address in its place",
  });
}

/** Runs an action on the tab that is shown, and returns where the browser is then. */
export async function act(open: OpenBrowser, action: (tab: Tab) => Promise<unknown>): Promise<Outcome> {
  const tab = alive(open);
  await tab.act(() => action(tab));
  return settle(open, tab);
}

/** Runs an action on the tab that is shown, and returns what has changed on its page; of another page, the page itself. */
export async function actAndShow(
  open: OpenBrowser,
  action: (tab: Tab) => Promise<unknown>,
): Promise<Outcome> {
  const tab = alive(open);
  if (tab.dialog() === undefined) await tab.remember();
  return showChanges(open, tab, await act(open, action));
}

/** Adds to an outcome what has changed since the page of a tab was last read. */
export async function showChanges(open: OpenBrowser, tab: Tab, here: Outcome): Promise<Outcome> {
  const current = open.tabs.shown();
  if (current === undefined || current.isCrashed() || current.dialog() !== undefined) return here;
  const changes = current === tab ? await tab.changes() : undefined;
  if (changes === undefined) return describePage(open, 1).catch(() => here);
  const text = changes === "" ? "[nothing on the page has changed]" : changes;
  return { text: `${here.text}\n\n${text}`, data: { ...here.data, changes } };
}

/** Waits for downloads, and for the tabs that the action on a tab has opened. Returns where the browser is then. */
export async function settle(open: OpenBrowser, tab: Tab): Promise<Outcome> {
  await open.tabs.settle();
  const shownTab = open.tabs.shown();
  if (shownTab !== tab) await shownTab?.settle();
  await open.downloads.settle();
  return where(open);
}

/** Adds an image of the page to an outcome. */
export async function withImage(
  open: OpenBrowser,
  { text, data }: Outcome,
  context: ToolContext,
  fullPage = false,
): Promise<Outcome> {
  const tab = alive(open);
  if (tab.dialog() !== undefined) return { text, data };
  const shot = await takeScreenshot(tab, fullPage, context);
  const stored = shot.id === undefined ? "" : ` ${shot.id}`;
  const cut =
    shot.cutHeight === undefined ? "" : `, the upper part of a page that is ${shot.cutHeight} pixels high`;
  return {
    text: `${text}\n[screenshot${stored}${cut}]`,
    images: [shot.image],
    data: { ...data, ...defined({ screenshot_id: shot.id }), bytes: shot.bytes },
  };
}

/** Types into a field, or chooses an option of a list. */
export async function fill(
  { locator, name }: Element,
  text: string,
  { clear, submit }: { readonly clear: boolean; readonly submit: boolean },
): Promise<void> {
  const kind = await locator.evaluate((element) => {
    const { tagName, type = "" } = element as unknown as { readonly tagName: string; readonly type?: string };
    return `${tagName} ${type}`.toLowerCase();
  });
  if (/^input (?:checkbox|radio|button|submit|image|file|reset)$/.test(kind))
    throw new ToolError("TOOL_FAILED", `${name} takes no text`, {
      hint: kind.endsWith("file") ? "browser_action upload_file chooses a file" : "click it",
    });
  if (kind.startsWith("select ")) await locator.selectOption(text);
  else if (clear || /^input (?:date|time|datetime-local|month|week|color|range)$/.test(kind))
    await locator.fill(text);
  else {
    await locator.click();
    await locator.press("ControlOrMeta+End");
    await locator.pressSequentially(text);
  }
  if (submit) await locator.press("Enter");
}

/** Returns JavaScript as one expression: the code itself, or the body of a function that may use `return` and `await`. */
export function asExpression(code: string): string {
  const whole = `(async () => (${code}\n))()`;
  const isExpression = attempt(() => new Script(whole)) !== undefined;
  return isExpression ? whole : `(async () => {${code}\n})()`;
}
