import { createApiSource, type ApiSource } from "../../../sources/openapi/source.ts";
import { defined } from "../../../util/json/defined.ts";
import { compileAllowedHosts } from "../../../util/text/host/host-pattern.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import type { ApiSetting } from "../../config/settings/api-setting.ts";
import type { McpSourcesOptions } from "./mcp-sources.ts";
import { webSettings } from "./built-in-tools.ts";

/** As for MCP servers: with `startsLate`, the operations that were used before are taken from the store, and no document is read. */
export type ApiSourcesOptions = Pick<McpSourcesOptions, "collections" | "startsLate" | "onSecret">;

/** The collection of the approved operations of APIs. */
export const API_PINS = "api-pins";

/** Creates one source for each API of the config. Reads no document. */
export function apiSources(
  config: ConfigGroups<"apis" | "environment" | "web" | "paths">,
  options: ApiSourcesOptions = {},
): readonly ApiSource[] {
  return Object.entries(config.apis).map(([name, setting]) => openApi(name, setting, config, options));
}

/** Creates the source of one API, which reaches only what `web` allows. */
export function openApi(
  name: string,
  { spec, url, auth, headers, include, exclude, timeoutSeconds }: ApiSetting,
  config: ConfigGroups<"web" | "environment" | "paths">,
  { collections, startsLate = false, onSecret }: ApiSourcesOptions = {},
): ApiSource {
  const web = webSettings(config);
  return createApiSource({
    name,
    spec: spec.replace(/^~(?=\/)/, config.paths.userHome),
    variables: config.environment.variables,
    web,
    isTrustedHost: compileAllowedHosts(web.trustedHosts ?? []),
    startsLate,
    ...defined({ url, login: auth, headers, include, exclude, onSecret, pins: collections?.open(API_PINS) }),
    ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
  });
}
