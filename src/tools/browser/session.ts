import { createKey, type Key, type ToolContext } from "../../core/context.ts";
import type { BrowserTab } from "../../core/session/host-keys.ts";
import { SessionKey, type SessionResource } from "../../core/session/session.ts";
import type { BrowserOptions } from "./page/options.ts";
import type { SessionBrowser } from "./page/session-browser.ts";

/** The browser of a session. Nothing of it is loaded, and nothing runs, before the first call. */
export interface BrowserSlot {
  /** The host of the page that is shown; undefined if there is none. */
  host(): string | undefined;
  /** The open tabs; none if no browser runs. */
  tabs(): readonly BrowserTab[];
  open(): Promise<SessionBrowser>;
}

const SlotKey: Key<BrowserSlot> = createKey("tools.Browser");

export function browserOf(context: ToolContext, options: BrowserOptions): BrowserSlot {
  return context.get(SessionKey).getOrCreate(SlotKey, () => createSlot(options));
}

function createSlot(options: BrowserOptions): SessionResource<BrowserSlot> {
  let loading: Promise<SessionBrowser> | undefined;
  let loaded: SessionBrowser | undefined;
  const load = async (): Promise<SessionBrowser> => {
    const { createSessionBrowser } = await import("./page/session-browser.ts");
    loaded = createSessionBrowser(options);
    return loaded;
  };
  return {
    value: {
      host: () => loaded?.host(),
      tabs: () => loaded?.tabs() ?? [],
      open: () => (loading ??= load()),
    },
    async close() {
      await (await loading)?.close();
    },
  };
}
