import type { ToolContext } from "../../core/context.ts";
import type { Json } from "../../core/json.ts";
import type { BrowserAccess } from "../../core/session/host-keys.ts";
import type { BrowserOptions } from "./page/options.ts";
import type { OpenBrowser } from "./page/browser-process.ts";
import type { Outcome } from "./page/session-browser.ts";
import { browserOf } from "./session.ts";

/** Returns the browser of the call's session for tools of users: the one that the tools of the browser use. */
export function sessionBrowser(context: ToolContext, options: BrowserOptions): BrowserAccess {
  const slot = browserOf(context, options);
  const use = async (starts: boolean, action: (open: OpenBrowser) => Promise<Outcome>): Promise<void> => {
    await (await slot.open()).use(context, { starts }, action);
  };
  return {
    tabs: () => slot.tabs(),
    async open(url) {
      const { goTo, where } = await import("./page/actions.ts");
      await use(true, async (browser) => {
        await goTo(browser, url);
        return where(browser);
      });
    },
    async evaluate(code) {
      const { runAction } = await import("./page/run-action.ts");
      let value: Json = null;
      await use(false, async (browser) => {
        const action = {
          action: "execute_js",
          js_code: code,
          clear: false,
          duration: 0,
          accept: true,
          screenshot: false,
        } as const;
        const outcome = await runAction(browser, action, { context, root: options.root });
        value = outcome.data["value"] ?? null;
        return outcome;
      });
      return value;
    },
    async close() {
      if (slot.tabs().length === 0) return;
      await use(false, async (browser) => {
        await browser.end();
        return { text: "", data: {} };
      });
    },
  };
}
