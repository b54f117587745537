import { randomBytes } from "node:crypto";
import { writeFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createKey, type Key, type ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { ActiveTools } from "../../core/session/active-tools.ts";
import { SessionKey, type SessionResource } from "../../core/session/session.ts";
import type { SessionProxy } from "../../core/session/session-proxy.ts";
import { makeTemporaryFolder } from "../../system/process/temporary-folder.ts";
import { USER } from "./program/demand-login.ts";
import { launchProxy, type LaunchedProxy, type Ready } from "./launch-proxy.ts";
import type { ProxyOptions } from "./traffic/options.ts";
import { trafficOf, type Traffic } from "./traffic/traffic.ts";

/** The proxy of one session. */
interface ProxySlot {
  /** Returns the running proxy; starts one if there is none, or if it has ended. */
  open(): Promise<SessionProxy>;
  /** Resolves when every exchange that has ended is stored. Never rejects. */
  flush(): Promise<void>;
}

const SlotKey: Key<ProxySlot> = createKey("proxy.Slot");

/** Returns the proxy of the call's session, running; undefined if its tools are not active there. */
export async function openSessionProxy(
  context: ToolContext,
  options: ProxyOptions,
): Promise<SessionProxy | undefined> {
  if (context.find(ActiveTools)?.get("list_requests") === undefined) return undefined;
  return slotOf(context, options).open();
}

/** Returns the captured traffic of the call's session, complete up to now. */
export async function currentTraffic(context: ToolContext, options: ProxyOptions): Promise<Traffic> {
  await slotOf(context, options).flush();
  return trafficOf(context, options);
}

function slotOf(context: ToolContext, options: ProxyOptions): ProxySlot {
  const traffic = trafficOf(context, options);
  return context.get(SessionKey).getOrCreate(SlotKey, () => createSlot(options, traffic));
}

function createSlot(options: ProxyOptions, traffic: Traffic): SessionResource<ProxySlot> {
  const ending = new AbortController();
  const password = randomBytes(24).toString("base64url");
  let folder: Promise<string> | undefined;
  let previous: Ready | undefined;
  let current: LaunchedProxy | undefined;
  const launch = (): LaunchedProxy => {
    const launched = launchProxy(options, traffic, { password, previous, signal: ending.signal });
    const forget = (): unknown => current === launched && (current = undefined);
    void launched.ended.then(forget);
    return launched;
  };
  return {
    value: {
      async open() {
        if (ending.signal.aborted) throw new ToolError("UNAVAILABLE", "the session has ended");
        current ??= launch();
        previous = await current.ready;
        const { port, authority, spki: caSpki } = previous;
        folder ??= makeTemporaryFolder();
        const caFile = join(await folder, "proxy-ca.pem");
        // The certificate alone: the key is only in the memory of both processes.
        await writeFile(caFile, authority.cert);
        return { url: `http://${USER}:${password}@127.0.0.1:${port}`, caFile, caSpki };
      },
      flush: async () => current?.flush(),
    },
    async close() {
      await current?.flush();
      ending.abort();
      await current?.ended;
      const made = await folder?.catch(() => undefined);
      if (made !== undefined) await rm(made, { recursive: true, force: true });
    },
  };
}
