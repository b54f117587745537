import { join } from "node:path";
import { isIP } from "node:net";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import { HiddenHosts } from "../../../core/session/hidden-paths.ts";
import { openForwardProxy } from "../../../system/fetch/forward-proxy.ts";
import { createGuard } from "../../../system/fetch/guard.ts";
import { openShortly } from "../../../system/paths/open-shortly.ts";
import { compileAllowedHosts } from "../../../util/text/host/host-pattern.ts";
import type { ConfigGroups } from "../../config/groups.ts";

/** A proxy for the programs in one sandbox. */
export interface BoxProxy {
  readonly socketPath: string;
  close(): Promise<void>;
}

/**
 * Opens the proxy through which a sandbox reaches `sandboxOptions.domains`, on a socket in a folder. It resolves names itself and connects only to listed
 * hosts, by name, that no rule denies, and to addresses and ports that `web_fetch` may reach.
 */
export async function openBoxProxy(
  config: ConfigGroups<"web" | "sandbox">,
  folder: string,
  context: ToolContext,
): Promise<BoxProxy> {
  const {
    web,
    sandbox: { options: sandboxOptions },
  } = config;
  const { allowedDomains: _, ...limits } = web;
  const isListed = compileAllowedHosts(sandboxOptions.domains);
  const isHidden = context.find(HiddenHosts);
  const held = await openShortly(folder);
  const socketPath = join(folder, SOCKET);
  const proxy = await openForwardProxy({
    guard: createGuard(limits),
    checkHost(host) {
      if (isIP(host) !== 0) throw refusal(host, "an address: name the host");
      if (!isListed(host)) throw refusal(host, 'which "sandboxOptions.domains" does not name');
      if (isHidden?.(host) === true) throw refusal(host, "which a rule denies or requires approval for");
    },
    upstream: () => web.proxy,
    socketPath: join(held.path, SOCKET),
  });
  return {
    socketPath,
    async close() {
      await proxy.close();
      await held.close();
    },
  };
}

const SOCKET = "proxy";

function refusal(host: string, why: string): ToolError {
  return new ToolError("DENIED", `not connecting to ${host}, ${why}`, {
    hint: 'programs in the sandbox reach only the hosts that "domains" of "sandboxOptions" lists',
  });
}
