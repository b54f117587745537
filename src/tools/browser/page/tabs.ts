import { setTimeout as wait } from "node:timers/promises";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { ToolError } from "../../../core/errors.ts";
import type { Downloads } from "./downloads.ts";
import { createTab, type Tab } from "./tab.ts";
import type { NextNumber } from "./tab-elements.ts";

/** How long a tab that a page opens may take until it is reported. */
const REPORT_MS = 3000;
const POLL_MS = 20;

/** The tabs of a browser that runs. */
export type Tabs = ReturnType<typeof createTabs>;

export interface TabsOptions {
  readonly nextNumber: NextNumber;
  readonly downloads: Downloads;
  readonly onNote: (note: string) => void;
}

/** Follows the tabs that actions and pages open and close. The last one that was opened is shown. */
export function createTabs(context: BrowserContext, { nextNumber, downloads, onNote }: TabsOptions) {
  let tabs: Tab[] = [];
  let shownTab: Tab | undefined;
  let count = 0;
  /** The tabs that pages have opened, and that no note names yet. */
  const opened: Promise<Tab | undefined>[] = [];
  let session: Promise<CDPSession | undefined> | undefined;
  // A page is reported before it is returned to the action that opens it.
  const follow = (page: Page): Tab => {
    const known = tabs.find((one) => one.page === page);
    if (known !== undefined) return known;
    count += 1;
    const tab = createTab(`t${count}`, page, nextNumber);
    tabs.push(tab);
    shownTab = tab;
    page.on("download", (download) => downloads.add(download));
    page.on("close", () => {
      tabs = tabs.filter((one) => one !== tab);
      if (shownTab === tab) shownTab = tabs.at(-1);
    });
    return tab;
  };
  context.on("page", (page) => {
    const tab = follow(page);
    const ofPage = page.opener().then((opener) => (opener === null ? undefined : tab));
    opened.push(ofPage.catch(() => undefined));
  });
  const countPages = async (): Promise<number> => {
    session ??= Promise.resolve(context.browser()?.newBrowserCDPSession());
    const targets = await (await session)?.send("Target.getTargets");
    return (
      targets?.targetInfos.filter(({ type, subtype }) => type === "page" && subtype === undefined).length ?? 0
    );
  };
  return {
    list: (): readonly Tab[] => tabs,
    /** The tab that is shown; undefined if none is open. */
    shown: (): Tab | undefined => shownTab,
    /** Like `shown`, but throws if none is open. */
    current(): Tab {
      if (shownTab !== undefined) return shownTab;
      throw new ToolError("TOOL_FAILED", "no tab is open", {
        hint: "navigate, or browser_action new_tab, opens one",
      });
    },
    /** Shows another tab. Throws for an unknown id. */
    show(id: string): Tab {
      const tab = tabs.find((one) => one.id === id);
      if (tab === undefined) throw unknownTab(id, tabs);
      shownTab = tab;
      return tab;
    },
    /** Waits for the tabs that pages have opened or closed, and notes new ones. The browser knows a tab at once, but reports it only after it was set up. */
    async settle(): Promise<void> {
      const end = performance.now() + REPORT_MS;
      while ((await countPages()) !== tabs.length && performance.now() < end) await wait(POLL_MS);
      for (const tab of await Promise.all(opened.splice(0)))
        if (tab !== undefined)
          onNote(`the page opened the tab ${tab.id}${shownTab === tab ? ", which is shown now" : ""}`);
    },
    /** Opens a tab and shows it. */
    add: async (): Promise<Tab> => follow(await context.newPage()),
  };
}

function unknownTab(id: string, tabs: readonly Tab[]): ToolError {
  const open = tabs.map((tab) => tab.id).join(", ") || "none";
  return new ToolError("TOOL_FAILED", `there is no tab ${JSON.stringify(id)}; open: ${open}`, {
    hint: "browser_action list_tabs shows them",
  });
}
