import { createKey, type Key, type ToolContext } from "../../core/context.ts";
import { SessionKey, type SessionResource } from "../../core/session/session.ts";
import type { BrowserOptions } from "./page/options.ts";
import type { SessionBrowser } from "./page/session-browser.ts";

/** The browser of a session. Nothing of it is loaded, and nothing runs, before the first call. */
export interface BrowserSlot {
  /** The host of the page that is shown; undefined if there is none. */
  host(): string | undefined;
  open(): Promise<SessionBrowser>;
}

const BrowserKey: Key<BrowserSlot> = createKey("Browser");

export function browserOf(context: ToolContext, options: BrowserOptions): BrowserSlot {
  return context.get(SessionKey).getOrCreate(BrowserKey, () => createSlot(options));
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
    value: { host: () => loaded?.host(), open: () => (loading ??= load()) },
    async close() {
      await (await loading)?.close();
    },
  };
}
