import { ToolError } from "../../../core/errors.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { loadConfig } from "../../config/config.ts";
import { mcpEntries } from "../../host/sources/mcp-sources.ts";
import { loadTrustedConfig } from "../../host/store/apply-trust.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";

/** Returns the server of the config with this name. Throws if there is none, it is unusable, or it is not trusted. */
export async function namedServer(name: string, { flags }: Arguments, world: World) {
  const { config, isTrusted } = await loadTrustedConfig(flags, loadConfig(flags, world.environment()));
  const entries = mcpEntries(config, isTrusted);
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) {
    const names = entries.map((one) => one.name);
    throw unknownName(`unknown MCP server "${name}"`, name, names, "toolwright mcp list lists them");
  }
  const { configured, file } = entry;
  if ("problem" in configured) {
    const { problem, hint } = configured;
    throw new ToolError("INVALID_INPUT", `${file}: "${name}" cannot be used: ${problem}`, { hint });
  }
  if (!entry.isTrusted)
    throw new ToolError("DENIED", `${file}: "${name}" is not trusted`, { hint: "run toolwright trust" });
  return { config, entry: { ...entry, configured } };
}
