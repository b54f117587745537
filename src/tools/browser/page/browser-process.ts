import type { BrowserContext, BrowserContextOptions } from "playwright-core";
import { ToolError } from "../../../core/errors.ts";
import type { SessionProxy } from "../../../core/session/session-proxy.ts";
import type { Refused } from "../../../system/fetch/forward-proxy.ts";
import type { Guard } from "../../../system/fetch/guard.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import { defined } from "../../../util/json/defined.ts";
import type { CallNetwork } from "./call-network.ts";
import { createDownloads, type Downloads } from "./downloads.ts";
import { launchBrowser, type LaunchedBrowser } from "./launch.ts";
import type { BrowserOptions } from "./options.ts";
import { VIEWPORT } from "./tab-elements.ts";
import { createTabs, type Tabs } from "./tabs.ts";

const SAVE_MS = 2000;

/** A browser that runs. */
export interface OpenBrowser {
  readonly guard: Guard;
  readonly downloads: Downloads;
  readonly tabs: Tabs;
  /** The connections that were refused, or could not be made, during this call. */
  refused(): readonly Refused[];
  /** Ends the browser. */
  end(): Promise<void>;
}

export interface RunningBrowser {
  readonly launched: LaunchedBrowser;
  readonly context: BrowserContext;
  readonly proxy: SessionProxy | undefined;
  readonly open: OpenBrowser;
  /** Resolves when the browser has ended by itself. */
  readonly gone: Promise<void>;
  isGone: boolean;
}

type Saved = Exclude<NonNullable<BrowserContextOptions["storageState"]>, string>;

/** The browser of a session, if one runs, and what a new one needs to know of the last. */
export interface BrowserProcess {
  readonly options: BrowserOptions;
  readonly network: CallNetwork;
  /** What happened since the last answer, for the next one. */
  readonly notes: string[];
  running: RunningBrowser | undefined;
  starting: Promise<RunningBrowser> | undefined;
  /** Why the last browser has ended. */
  ended: string | undefined;
  saved: Saved | undefined;
  /** The number of the last element that was shown. */
  number: number;
}

export interface EnsureOptions {
  readonly proxy: SessionProxy | undefined;
  /** Without it, a browser that does not run is an error. */
  readonly starts: boolean;
}

/** Returns the browser that runs with this proxy, and starts it if none does. */
export async function ensureBrowser(
  browser: BrowserProcess,
  { proxy, starts }: EnsureOptions,
): Promise<RunningBrowser> {
  const { running } = browser;
  if (running !== undefined && running.proxy?.url === proxy?.url) return running;
  if (running !== undefined) await endBrowser(browser, "its proxy was switched on or off");
  if (!starts && browser.starting === undefined) throw nothingOpen(browser);
  browser.starting ??= start(browser, proxy).finally(() => (browser.starting = undefined));
  return browser.starting;
}

function nothingOpen({ ended }: BrowserProcess): ToolError {
  const why = ended === undefined ? "" : `: the browser has ended, ${ended}`;
  return new ToolError("TOOL_FAILED", `no page is open${why}`, { hint: "navigate opens one" });
}

async function start(browser: BrowserProcess, proxy: SessionProxy | undefined): Promise<RunningBrowser> {
  const { options, network } = browser;
  const launched = await launchBrowser({
    ...options,
    trustedKeys: proxy === undefined ? [] : [proxy.caSpki],
    network: {
      guard: network.guard,
      checkHost: network.checkHost,
      upstream: () => proxy?.url ?? options.web?.proxy,
      onRefused: network.onRefused,
    },
  });
  try {
    const context = await launched.browser.newContext({
      viewport: VIEWPORT,
      acceptDownloads: true,
      ...defined({ storageState: browser.saved }),
    });
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const open = openPages(browser, context);
    const running: RunningBrowser = { launched, context, proxy, open, gone, isGone: false };
    launched.browser.on("disconnected", () => {
      // One that is ended on purpose is not the running one any more.
      if (browser.running !== running) return;
      running.isGone = true;
      void endBrowser(browser, "it crashed or was killed", { isSaved: false });
      resolve();
    });
    browser.running = running;
    await open.tabs.add();
    noteRestart(browser);
    return running;
  } catch (error) {
    await launched.close();
    throw error;
  }
}

function openPages(browser: BrowserProcess, context: BrowserContext): OpenBrowser {
  const { network, notes } = browser;
  const onNote = (note: string): void => void notes.push(note);
  const downloads = createDownloads({
    root: browser.options.root,
    isRefused: network.refusesWrite,
    onNote,
  });
  const nextNumber = (): number => (browser.number += 1);
  return {
    guard: network.guard,
    downloads,
    tabs: createTabs(context, { nextNumber, downloads, onNote }),
    refused: network.refused,
    end: () => endBrowser(browser, undefined),
  };
}

function noteRestart(browser: BrowserProcess): void {
  const { ended, saved, notes } = browser;
  if (ended === undefined) return;
  const losses =
    saved === undefined
      ? "pages, logins and numbers of elements are gone"
      : "its logins are kept, its pages are gone";
  notes.push(`the browser was started again, since ${ended}: ${losses}`);
  browser.ended = undefined;
}

/** Ends the browser and keeps its cookies, unless it is gone. */
export async function endBrowser(
  browser: BrowserProcess,
  why: string | undefined,
  { isSaved = why !== undefined }: { readonly isSaved?: boolean } = {},
): Promise<void> {
  const running = browser.running ?? (await browser.starting?.catch(() => undefined));
  browser.ended = why;
  if (running === undefined) return;
  browser.running = undefined;
  browser.saved = isSaved
    ? await withTimeout(running.context.storageState(), SAVE_MS, () => undefined).catch(() => undefined)
    : undefined;
  await running.launched.close();
}
