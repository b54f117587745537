import type { ToolContext } from "../../core/context.ts";
import type { Tool } from "../../core/tool.ts";
import { createFetcher } from "../../system/fetch/fetcher.ts";
import type { FilesOptions } from "../files/shared/options.ts";
import { checkRootedOptions } from "../shared/check-tool-options.ts";
import { IMAGE_RECOGNITION, imageRecognition } from "./image-recognition.ts";
import type { WebOptions } from "./options.ts";
import { sessionFetcher } from "./session-fetcher.ts";
import { WEB_FETCH, webFetch } from "./web-fetch.ts";
import { WEB_SEARCH, webSearch } from "./web-search.ts";

/** Returns the tools for the web. Throws `INVALID_INPUT` if a setting is wrong. */
export function webTools(options: WebOptions & FilesOptions): Tool[] {
  checkRootedOptions("webTools", options);
  const direct = createFetcher(options.web);
  const fetcherOf = (context: ToolContext) => sessionFetcher(context, direct, options.web);
  return [webFetch(options, fetcherOf), webSearch(options), imageRecognition(options, fetcherOf)];
}

/** The tools of this family by name, for `builtIn`. */
export const WEB_NAMED = {
  webFetch: WEB_FETCH,
  webSearch: WEB_SEARCH,
  imageRecognition: IMAGE_RECOGNITION,
};
