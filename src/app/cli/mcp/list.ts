import type { JsonObject } from "../../../core/json.ts";
import { createConfigMasker } from "../../config/config-masker.ts";
import { targetOf } from "../../../sources/mcp/transport/server.ts";
import { loadTrustedConfig } from "../../host/store/apply-trust.ts";
import { loadConfig } from "../../config/config.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { loginAt, mcpEntries, pinsOf, type McpEntry } from "../../host/sources/mcp-sources.ts";
import { openPresentStore } from "../../host/store/open-configured-store.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";
import { visible } from "../../../util/text/visible.ts";
import { defined } from "../../../util/json/defined.ts";

/** Lists the configured servers, with the reason if one cannot be used. Starts none; prints no secrets. */
export async function listServers({ positionals, flags }: Arguments, world: World): Promise<void> {
  refuseArguments(positionals, "toolwright mcp test NAME tries one server");
  const { output, columns } = world;
  const untrusted = loadConfig(flags, world.environment());
  const { config, isTrusted, warnings } = await loadTrustedConfig({ flags, config: untrusted });
  for (const warning of [...config.report.warnings, ...warnings]) output.warn(warning);
  const entries = await withLogins(mcpEntries(config, isTrusted), config);
  const secrets = entries.flatMap(({ configured }) => ("secrets" in configured ? configured.secrets : []));
  const mask = createConfigMasker(config.environment, secrets).text;
  if (flags["json"] === true) return output.print(`${mask(JSON.stringify(entries.map(toObject)))}\n`);
  const rows = entries.map((entry) => {
    const { name, file, configured, login = "none", unapproved, ignored } = entry;
    const target = "problem" in configured ? configured.problem : targetOf(configured.server);
    const approvals = unapproved === 0 ? "" : `, ${unapproved} to approve`;
    const without = ignored.length === 0 ? "" : `, ignores ${ignored.join(", ")}`;
    return [name, stateOf(entry) + LOGIN_STATES[login] + approvals + without, file, target].map((cell) =>
      visible(mask(cell)),
    );
  });
  await output.print(alignRows(rows, columns) || "no MCP servers; toolwright mcp add adds one\n");
  for (const { name, unapproved } of entries)
    if (unapproved > 0)
      output.warn(`${name}: toolwright mcp approve ${name} shows what changed, and approves it`);
}

/** A server and the state of its login. */
interface Listed extends McpEntry {
  /** Undefined if the server has never required a login. */
  readonly login: "stored" | "needed" | undefined;
  /** The number of tools that were added or changed and are not approved. */
  readonly unapproved: number;
}

async function withLogins(
  entries: readonly McpEntry[],
  config: ConfigGroups<"storage" | "paths" | "fleet">,
): Promise<readonly Listed[]> {
  await using store = await openPresentStore(config);
  const loginOf = async (entry: McpEntry): Promise<Listed["login"]> => {
    const { configured } = entry;
    if (store === undefined || "problem" in configured || configured.server.kind !== "http") return undefined;
    const { collections } = store;
    const { login, challenge } = await loginAt(configured.server, entry, { config, collections }).read();
    if (login === undefined && challenge === undefined) return undefined;
    return login === undefined || challenge?.isStepUp === true ? "needed" : "stored";
  };
  const unapprovedOf = async ({ configured, ...entry }: McpEntry): Promise<number> => {
    if (store === undefined || "problem" in configured) return 0;
    const pins = pinsOf({ ...entry, configured }, { config, collections: store.collections });
    return (await pins.pending()).definitions.length;
  };
  return await Promise.all(
    entries.map(async (entry) => ({
      ...entry,
      login: await loginOf(entry),
      unapproved: await unapprovedOf(entry),
    })),
  );
}

function toObject(entry: Listed): JsonObject {
  const { name, file, isProject, isTrusted, configured, login, unapproved, ignored } = entry;
  return {
    name,
    file,
    state: stateOf(entry),
    project: isProject,
    trusted: isTrusted,
    ...defined({ login }),
    ...(unapproved > 0 && { unapproved }),
    ...(ignored.length > 0 && { ignored }),
    ...("problem" in configured
      ? { problem: configured.problem }
      : { target: targetOf(configured.server), transport: configured.server.kind }),
  };
}

const LOGIN_STATES = { stored: ", logged in", needed: ", needs login", none: "" } as const;

function stateOf({ isTrusted, configured }: McpEntry): string {
  if ("problem" in configured) return "unusable";
  if (configured.isDisabled) return "disabled";
  return isTrusted ? configured.startup : "untrusted";
}
