import type { RunningOptions } from "../../running/options.ts";
import type { WebSettings } from "../../web/options.ts";

/** Which browser runs, and how. */
export interface BrowserSettings {
  /** The browser's program; default: the first of Chromium, Chrome and Edge that is found. */
  readonly path?: string;
  /** none: not inside bubblewrap, and, as root, without the browser's own sandbox. Default: auto. */
  readonly sandbox?: "auto" | "none";
  /** After this time without a call the browser is closed. Default: 600. */
  readonly idleSeconds?: number;
  /** PEM files: certificates, or those of authorities, that the browser trusts besides its own. */
  readonly certificates?: readonly string[];
}

/** What the browser of a session may reach, and where its files go. */
export interface BrowserOptions extends Pick<
  RunningOptions,
  "root" | "home" | "environment" | "stateFolder"
> {
  /** Default: those of `BrowserSettings`. */
  readonly browser?: BrowserSettings;
  /** The same limits as for `web_fetch`, for pages and everything that they load. */
  readonly web?: WebSettings;
}
