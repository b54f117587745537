import type { BrowserContext, Page } from "playwright-core";
import { ToolError } from "../../../core/errors.ts";
import type { Downloads } from "./downloads.ts";
import { createTab, type NextNumber, type Tab } from "./tab.ts";

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
  let shown: Tab | undefined;
  let count = 0;
  // A page is reported before it is returned to the action that opens it.
  const follow = (page: Page): Tab => {
    const known = tabs.find((one) => one.page === page);
    if (known !== undefined) return known;
    count += 1;
    const tab = createTab(`t${count}`, page, nextNumber);
    tabs.push(tab);
    shown = tab;
    page.on("download", (download) => downloads.add(download));
    page.on("close", () => {
      tabs = tabs.filter((one) => one !== tab);
      if (shown === tab) shown = tabs.at(-1);
    });
    return tab;
  };
  context.on("page", (page) => {
    const { id } = follow(page);
    page.opener().then(
      (opener) => (opener === null ? undefined : onNote(`the page opened the tab ${id}, which is shown now`)),
      () => undefined,
    );
  });
  return {
    list: (): readonly Tab[] => tabs,
    /** The tab that is shown; undefined if none is open. */
    shown: (): Tab | undefined => shown,
    /** Like `shown`, but throws if none is open. */
    current(): Tab {
      if (shown !== undefined) return shown;
      throw new ToolError("TOOL_FAILED", "no tab is open", {
        hint: "navigate, or browser_action new_tab, opens one",
      });
    },
    /** Shows another tab. Throws for an unknown id. */
    show(id: string): Tab {
      const tab = tabs.find((one) => one.id === id);
      if (tab === undefined) throw unknownTab(id, tabs);
      shown = tab;
      return tab;
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
