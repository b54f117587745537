import type { BrowserContext, BrowserContextOptions } from "playwright-core";
import { Reply, type Content } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { HiddenHosts, RefusedWrites, type IsHidden } from "../../../core/session/hidden-paths.ts";
import type { BrowserTab } from "../../../core/session/host-keys.ts";
import { SessionProxyKey, type SessionProxy } from "../../../core/session/session-proxy.ts";
import type { Refused } from "../../../system/fetch/forward-proxy.ts";
import { createGuard, type Guard } from "../../../system/fetch/guard.ts";
import { createSerializer } from "../../../util/async/serialize.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import type { BrowserOptions } from "./options.ts";
import { createDownloads, type Downloads } from "./downloads.ts";
import { failureOf } from "./failure.ts";
import { launchBrowser, type LaunchedBrowser } from "./launch.ts";
import { describeDialog } from "./tab.ts";
import { VIEWPORT } from "./tab-elements.ts";
import { createTabs, type Tabs } from "./tabs.ts";
import { defined } from "../../../util/json/defined.ts";

const IDLE_SECONDS = 600;
const SAVE_MS = 2000;

/** The answer of an action, before the notes about what happened meanwhile. */
export interface Outcome {
  readonly text: string;
  readonly images?: readonly Content[];
  readonly data: { readonly [name: string]: Json };
}

/** The browser of one session. It is started by the first action that needs it, and again after it has ended. */
export type SessionBrowser = ReturnType<typeof createSessionBrowser>;

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

interface Running {
  readonly launched: LaunchedBrowser;
  readonly context: BrowserContext;
  readonly proxy: SessionProxy | undefined;
  readonly open: OpenBrowser;
  /** Resolves when the browser has ended by itself. */
  readonly gone: Promise<void>;
  isGone: boolean;
}

type Saved = Exclude<NonNullable<BrowserContextOptions["storageState"]>, string>;

export function createSessionBrowser(options: BrowserOptions) {
  const { idleSeconds = IDLE_SECONDS } = options.browser ?? {};
  const serialize = createSerializer();
  const state = new State(options);
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  const rest = (): void => {
    const end = (): Promise<void> => state.end(`it was closed after ${idleSeconds} s without a call`);
    idle = setTimeout(() => void serialize(end), idleSeconds * 1000).unref();
  };
  return {
    /** The host of the page that is shown. */
    host: (): string | undefined => state.host(),
    /** The open tabs; none if no browser runs. */
    tabs: (): readonly BrowserTab[] => state.tabs(),
    /** Runs an action on the open pages after all earlier ones. With `start`, starts the browser if it does not run. */
    use: (
      context: ToolContext,
      { starts: start }: { readonly starts: boolean },
      action: (open: OpenBrowser) => Promise<Outcome>,
    ): Promise<Reply> =>
      serialize(async () => {
        context.signal.throwIfAborted();
        if (isClosed) throw new ToolError("UNAVAILABLE", "the session has ended");
        clearTimeout(idle);
        try {
          return await state.use(context, { starts: start }, action);
        } finally {
          rest();
        }
      }),
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(idle);
      await state.end(undefined);
    },
  };
}

/** The browser that runs, if one does, and what a new one needs to know of the last. */
class State {
  readonly #options: BrowserOptions;
  readonly #guard: Guard;
  #running: Running | undefined;
  #starting: Promise<Running> | undefined;
  #number = 0;
  /** Why the last browser has ended; the next answer says so. */
  #ended: string | undefined;
  #saved: Saved | undefined;
  #notes: string[] = [];
  #refused: Refused[] = [];
  #isHidden: IsHidden | undefined;
  #refusesWrite: IsHidden | undefined;
  /** Hosts of calls that policy has allowed. */
  readonly #allowed = new Set<string>();

  constructor(options: BrowserOptions) {
    this.#options = options;
    this.#guard = createGuard(options.web);
  }

  host(): string | undefined {
    const shownTab = this.#running?.open.tabs.shown();
    return URL.parse(shownTab?.page.url() ?? "")?.hostname || undefined;
  }

  tabs(): readonly BrowserTab[] {
    const tabs = this.#running?.open.tabs;
    const shownTab = tabs?.shown();
    return (tabs?.list() ?? []).map((tab) => ({
      id: tab.id,
      url: tab.page.url(),
      isShown: tab === shownTab,
    }));
  }

  async use(
    context: ToolContext,
    { starts: start }: { readonly starts: boolean },
    action: (open: OpenBrowser) => Promise<Outcome>,
  ): Promise<Reply> {
    this.#isHidden = context.find(HiddenHosts);
    this.#refusesWrite = context.find(RefusedWrites);
    for (const fact of context.facts) if (fact.kind === "host") this.#allowed.add(fact.host);
    this.#refused = [];
    const running = await untilAborted(this.#ensure(context, start), context.signal);
    const place = running.launched.place === "sandbox" ? "sandbox" : undefined;
    const ended = running.gone.then(() => {
      throw crashed();
    });
    try {
      const acting = action(running.open);
      const outcome = await untilAborted(Promise.race([acting, ended]), context.signal);
      return this.#reply(outcome, place);
    } catch (error) {
      const isCrash = running.isGone && !context.signal.aborted;
      throw failureOf(isCrash ? crashed() : error, place, this.#takeNotes());
    }
  }

  #reply({ text, images = [], data }: Outcome, place: "sandbox" | undefined): Reply {
    const notes = this.#takeNotes().map((note) => `[${note}]`);
    const answerText = [text, ...notes].filter((one) => one !== "").join("\n");
    return new Reply([{ type: "text", text: answerText }, ...images], {
      data: { ...data, notes: notes.map((note) => note.slice(1, -1)) },
      place,
    });
  }

  #takeNotes(): readonly string[] {
    const dialog = this.#running?.open.tabs.shown()?.dialog();
    const denied = this.#refused.filter(({ error }) => error.code === "DENIED");
    const refused = new Set(denied.map(({ error }) => error.message));
    const open = dialog === undefined ? [] : [describeDialog(dialog)];
    return [...this.#notes.splice(0), ...refused, ...open];
  }

  async #ensure(context: ToolContext, start: boolean): Promise<Running> {
    const proxy = await context.find(SessionProxyKey)?.();
    const running = this.#running;
    if (running !== undefined && running.proxy?.url === proxy?.url) return running;
    if (running !== undefined) await this.end("its proxy was switched on or off");
    if (!start && this.#starting === undefined) throw this.#nothingOpen();
    this.#starting ??= this.#start(proxy).finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  #nothingOpen(): ToolError {
    const why = this.#ended === undefined ? "" : `: the browser has ended, ${this.#ended}`;
    return new ToolError("TOOL_FAILED", `no page is open${why}`, { hint: "navigate opens one" });
  }

  async #start(proxy: SessionProxy | undefined): Promise<Running> {
    const launched = await launchBrowser({
      ...this.#options,
      trustedKeys: proxy === undefined ? [] : [proxy.caSpki],
      network: {
        guard: this.#guard,
        checkHost: (host) => this.#checkHost(host),
        upstream: () => proxy?.url ?? this.#options.web?.proxy,
        onRefused: (refused) => this.#refused.push(refused),
      },
    });
    try {
      const context = await launched.browser.newContext({
        viewport: VIEWPORT,
        acceptDownloads: true,
        ...defined({ storageState: this.#saved }),
      });
      const { promise: gone, resolve } = Promise.withResolvers<void>();
      const open = this.#openBrowser(context);
      const running: Running = { launched, context, proxy, open, gone, isGone: false };
      launched.browser.on("disconnected", () => {
        // One that is ended on purpose is not the running one any more.
        if (this.#running !== running) return;
        running.isGone = true;
        void this.end("it crashed or was killed", { isSaved: false });
        resolve();
      });
      this.#running = running;
      await open.tabs.add();
      this.#noteRestart();
      return running;
    } catch (error) {
      await launched.close();
      throw error;
    }
  }

  #noteRestart(): void {
    if (this.#ended !== undefined) {
      const losses =
        this.#saved === undefined
          ? "pages, logins and numbers of elements are gone"
          : "its logins are kept, its pages are gone";
      this.#notes.push(`the browser was started again, since ${this.#ended}: ${losses}`);
    }
    this.#ended = undefined;
  }

  #openBrowser(context: BrowserContext): OpenBrowser {
    const onNote = (note: string): void => void this.#notes.push(note);
    const isRefused: IsHidden = (path) => this.#refusesWrite?.(path) === true;
    const downloads = createDownloads({ root: this.#options.root, isRefused, onNote });
    const nextNumber = (): number => (this.#number += 1);
    return {
      guard: this.#guard,
      downloads,
      tabs: createTabs(context, { nextNumber, downloads, onNote }),
      refused: () => this.#refused,
      end: () => this.end(undefined),
    };
  }

  /** A host that needs approval may be reached after a call that names it was approved. */
  #checkHost(host: string): void {
    if (this.#allowed.has(host) || this.#isHidden?.(host) !== true) return;
    throw new ToolError("DENIED", `not connecting to ${host}, which a rule denies or requires approval for`, {
      hint: `navigate to ${host} to ask for approval`,
    });
  }

  /** Ends the browser and keeps its cookies, unless it is gone. */
  async end(
    why: string | undefined,
    { isSaved = why !== undefined }: { readonly isSaved?: boolean } = {},
  ): Promise<void> {
    const running = this.#running ?? (await this.#starting?.catch(() => undefined));
    this.#ended = why;
    if (running === undefined) return;
    this.#running = undefined;
    this.#saved = isSaved
      ? await withTimeout(running.context.storageState(), SAVE_MS, () => undefined).catch(() => undefined)
      : undefined;
    await running.launched.close();
  }
}

function crashed(): ToolError {
  const message = "the browser ended during the call; the page may have received the action";
  return new ToolError("TOOL_CRASHED", message, {
    hint: "navigate starts the browser again; its pages and logins are gone",
  });
}
