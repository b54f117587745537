import { Reply, type Content } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import type { BrowserTab } from "../../../core/session/host-keys.ts";
import { SessionProxyKey } from "../../../core/session/session-proxy.ts";
import { createSerializer } from "../../../util/async/serialize.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { endBrowser, ensureBrowser, type BrowserProcess, type OpenBrowser } from "./browser-process.ts";
import { createCallNetwork } from "./call-network.ts";
import { failureOf } from "./failure.ts";
import type { BrowserOptions } from "./options.ts";
import { describeDialog } from "./tab.ts";

const IDLE_SECONDS = 600;

/** The answer of an action, before the notes about what happened meanwhile. */
export interface Outcome {
  readonly text: string;
  readonly images?: readonly Content[];
  readonly data: { readonly [name: string]: Json };
}

export interface UseOptions {
  /** Starts the browser if it does not run. */
  readonly starts: boolean;
}

/** The browser of one session. It is started by the first action that needs it, and again after it has ended. */
export type SessionBrowser = ReturnType<typeof createSessionBrowser>;

type Action = (open: OpenBrowser) => Promise<Outcome>;

export function createSessionBrowser(options: BrowserOptions) {
  const { idleSeconds = IDLE_SECONDS } = options.browser ?? {};
  const serialize = createSerializer();
  const browser = createBrowserProcess(options);
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  const rest = (): void => {
    const end = (): Promise<void> =>
      endBrowser(browser, `it was closed after ${idleSeconds} s without a call`);
    idle = setTimeout(() => void serialize(end), idleSeconds * 1000).unref();
  };
  return {
    /** The host of the page that is shown. */
    host: (): string | undefined => {
      const shownTab = browser.running?.open.tabs.shown();
      return URL.parse(shownTab?.page.url() ?? "")?.hostname || undefined;
    },
    /** The open tabs; none if no browser runs. */
    tabs: (): readonly BrowserTab[] => listTabs(browser),
    /** Runs an action on the open pages after all earlier ones. */
    use: (context: ToolContext, useOptions: UseOptions, action: Action): Promise<Reply> =>
      serialize(async () => {
        context.signal.throwIfAborted();
        if (isClosed) throw new ToolError("UNAVAILABLE", "the session has ended");
        clearTimeout(idle);
        try {
          return await runAction(browser, context, useOptions, action);
        } finally {
          rest();
        }
      }),
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(idle);
      await endBrowser(browser, undefined);
    },
  };
}

function createBrowserProcess(options: BrowserOptions): BrowserProcess {
  return {
    options,
    network: createCallNetwork(options.web),
    notes: [],
    running: undefined,
    starting: undefined,
    ended: undefined,
    saved: undefined,
    number: 0,
  };
}

function listTabs({ running }: BrowserProcess): readonly BrowserTab[] {
  const tabs = running?.open.tabs;
  const shownTab = tabs?.shown();
  return (tabs?.list() ?? []).map((tab) => ({
    id: tab.id,
    url: tab.page.url(),
    isShown: tab === shownTab,
  }));
}

async function runAction(
  browser: BrowserProcess,
  context: ToolContext,
  { starts }: UseOptions,
  action: Action,
): Promise<Reply> {
  browser.network.begin(context);
  const ensured = async () =>
    ensureBrowser(browser, { proxy: await context.find(SessionProxyKey)?.(), starts });
  const running = await untilAborted(ensured(), context.signal);
  const place = running.launched.place === "sandbox" ? "sandbox" : undefined;
  const ended = running.gone.then(() => {
    throw crashed();
  });
  try {
    const acting = action(running.open);
    const outcome = await untilAborted(Promise.race([acting, ended]), context.signal);
    return toReply(outcome, takeNotes(browser), place);
  } catch (error) {
    const isCrash = running.isGone && !context.signal.aborted;
    throw failureOf(isCrash ? crashed() : error, place, takeNotes(browser));
  }
}

function toReply(
  { text, images = [], data }: Outcome,
  notes: readonly string[],
  place: "sandbox" | undefined,
): Reply {
  const answerText = [text, ...notes.map((note) => `[${note}]`)].filter((one) => one !== "").join("\n");
  return new Reply([{ type: "text", text: answerText }, ...images], { data: { ...data, notes }, place });
}

function takeNotes({ running, network, notes }: BrowserProcess): readonly string[] {
  const dialog = running?.open.tabs.shown()?.dialog();
  const denied = network.refused().filter(({ error }) => error.code === "DENIED");
  const refused = new Set(denied.map(({ error }) => error.message));
  const open = dialog === undefined ? [] : [describeDialog(dialog)];
  return [...notes.splice(0), ...refused, ...open];
}

function crashed(): ToolError {
  const message = "the browser ended during the call; the page may have received the action";
  return new ToolError("TOOL_CRASHED", message, {
    hint: "navigate starts the browser again; its pages and logins are gone",
  });
}
