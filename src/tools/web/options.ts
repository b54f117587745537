import type { Model } from "../../core/agent/model.ts";
import type { FetcherOptions } from "../../system/fetch/fetcher.ts";
import type { SearchOptions } from "./search-services.ts";

/** What the tools for the web may reach, and which services and models they use. */
export interface WebOptions {
  /** What may be reached. Default: every public address. */
  readonly web?: WebSettings;
  /** Answers the `prompt` of `web_fetch`; undefined if none is configured. */
  readonly openSmallModel?: () => Promise<Model> | undefined;
  /** Answers `image_recognition`; undefined if none is configured. */
  readonly openVisionModel?: () => Promise<Model> | undefined;
}

/** The limits of the tools for the web. */
export interface WebSettings extends FetcherOptions {
  /** Hosts that `web_fetch` may read without approval, such as those of documentation. */
  readonly trustedHosts?: readonly string[];
  /** Default: none, and `web_search` says how to configure one. */
  readonly search?: SearchOptions;
}
