import { ToolError } from "../../../core/errors.ts";
import type { McpSource } from "../../../sources/mcp/source.ts";
import type { Trusted } from "../../apply-trust.ts";
import { mcpEntries, openServer } from "../../mcp-sources.ts";
import { nearHint } from "../../near-hint.ts";
import type { Store } from "../../open-configured-store.ts";

/** The server of that name, ready to be started. Throws where there is none, it cannot be used, or it is not trusted. */
export function openNamed(
  { config, isTrusted: isItTrusted }: Pick<Trusted, "config" | "isTrusted">,
  name: string,
  store: Store | undefined,
): McpSource {
  const entries = mcpEntries(config, isItTrusted);
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) {
    const names = entries.map((one) => one.name);
    throw new ToolError("INVALID_INPUT", `there is no MCP server "${name}"`, {
      hint: nearHint(name, names, "toolwright mcp list lists them"),
    });
  }
  const { configured, isTrusted, file } = entry;
  if ("trouble" in configured)
    throw new ToolError("INVALID_INPUT", `${file}: "${name}" cannot be used: ${configured.trouble}`, {
      ...(configured.hint !== undefined && { hint: configured.hint }),
    });
  if (!isTrusted)
    throw new ToolError("DENIED", `${file}: "${name}" is not trusted`, { hint: "run toolwright trust" });
  const kept = store === undefined ? {} : { collections: store.collections };
  return openServer({ ...entry, configured }, config, kept);
}
