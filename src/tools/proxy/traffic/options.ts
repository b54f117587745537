import type { Collections } from "../../../core/store/collection.ts";
import type { WebSettings } from "../../web/options.ts";

/** The options of the proxy and its tools. */
export interface ProxyOptions {
  /** Where captured traffic is stored; default: in memory, until the session ends. */
  readonly collections?: Collections;
  /** What may be reached: the settings of `web_fetch`. */
  readonly web?: WebSettings;
  /** Masks secrets in what is stored; default: only what looks like a token. */
  readonly mask?: (text: string, name?: string) => string;
  /** Where the running proxy is recorded, so that it is ended after a crash. */
  readonly stateFolder?: string;
  /** The environment of the proxy program. */
  readonly environment: Readonly<Record<string, string>>;
}
