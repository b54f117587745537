import type { Engine } from "../../engine/types/engine.ts";
import { browserTools } from "../../tools/browser/family.ts";
import type { BrowserOptions } from "../../tools/browser/page/options.ts";

interface ServedBrowser extends BrowserOptions {
  /** Hosts, addresses and subnets of private networks that it may reach. */
  readonly privateHosts: readonly string[];
  readonly sandbox: "auto" | "none";
}

/** Adds the tools of the browser, and switches them on. */
export function addBrowser(engine: Engine, { privateHosts, sandbox, ...options }: ServedBrowser): void {
  engine.add(browserTools({ ...options, browser: { sandbox }, web: { privateHosts } }));
  engine.groups.activate("browser");
}
