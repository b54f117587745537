import { ToolError } from "../../../core/errors.ts";
import type { ConfiguredServer } from "../../../sources/mcp/config/config.ts";
import type { Trusted } from "../../host/store/apply-trust.ts";
import {
  mcpEntries,
  openServer,
  type McpEntry,
  type McpSourcesOptions,
} from "../../host/sources/mcp-sources.ts";
import { defined } from "../../../util/json/defined.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import type { McpSource } from "../../../sources/mcp/types/source-types.ts";
import type { Store } from "../../host/store/open-configured-store.ts";

/** Returns the server with this name. Throws if there is none, it is unusable, or it is not trusted. */
export function namedEntry(
  { config, isTrusted: isItTrusted }: Pick<Trusted, "config" | "isTrusted">,
  name: string,
): McpEntry & { readonly configured: ConfiguredServer } {
  const entries = mcpEntries(config, isItTrusted);
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) {
    const names = entries.map((one) => one.name);
    throw unknownName(`unknown MCP server "${name}"`, name, names, "toolwright mcp list lists them");
  }
  const { configured, isTrusted, file } = entry;
  if ("problem" in configured)
    throw new ToolError(
      "INVALID_INPUT",
      `${file}: "${name}" cannot be used: ${configured.problem}`,
      defined({ hint: configured.hint }),
    );
  if (!isTrusted)
    throw new ToolError("DENIED", `${file}: "${name}" is not trusted`, { hint: "run toolwright trust" });
  return { ...entry, configured };
}

/** Returns the source of the server with this name, not yet started. Throws if there is none, it is unusable, or it is not trusted. */
export function openNamed(
  trusted: Pick<Trusted, "config" | "isTrusted">,
  name: string,
  { store, ...options }: Pick<McpSourcesOptions, "onSecret"> & { readonly store: Store },
): McpSource {
  const { collections } = store;
  return openServer(namedEntry(trusted, name), trusted.config, { collections, ...options });
}
