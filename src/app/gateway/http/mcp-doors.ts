import type { Ceiling } from "../../../core/policy.ts";
import { defined } from "../../../util/json/defined.ts";
import { hasRight } from "../../config/access/http-tokens.ts";
import type { Caller } from "../../host/people/caller.ts";
import type { Gateway } from "../sessions/gateway.ts";
import type { McpHttp } from "../types/public-types.ts";
import { createMcpHttp } from "./mcp-http.ts";

/**
 * Creates the doors of a gateway, which serve the clients of each caller apart: the session of a client belongs to no other caller. A caller who may not approve is shown no form, whose answer could not be told from that of a person. People have a
 * door for each of their tokens, which closes when the token no longer counts; tokens of the server share two.
 */
export function createMcpDoors(
  gateway: Gateway,
  ceilings: readonly Ceiling[],
  print: (line: string) => void,
  create = createMcpHttp,
) {
  const doors = new Map<Caller | "asking" | "queued", Promise<McpHttp>>();
  const openDoor = (key: Caller | "asking" | "queued", caller: Caller): Promise<McpHttp> => {
    const known = doors.get(key);
    if (known !== undefined) return known;
    // The caller may have ended while the request waited: nothing would close this door.
    caller.ended?.throwIfAborted();
    const door = create(gatewayOf(gateway, caller), [...ceilings, ...caller.ceilings], print);
    doors.set(key, door);
    // The next request tries again.
    door.catch(() => doors.get(key) === door && doors.delete(key));
    caller.ended?.addEventListener("abort", () => {
      doors.delete(key);
      door.then((one) => one.close()).catch(() => undefined);
    });
    return door;
  };
  return {
    async fetch(request: Request, caller: Caller): Promise<Response> {
      const shared = hasRight(caller.rights, ["approve"]) ? "asking" : "queued";
      const door = await openDoor(caller.subject === undefined ? shared : caller, caller);
      return door.fetch(request);
    },
    async close(): Promise<void> {
      await Promise.allSettled([...doors.values()].map(async (door) => (await door).close()));
    },
  };
}

/** Returns the gateway as the clients of a caller see it. */
function gatewayOf(gateway: Gateway, { rights, subject }: Caller): Gateway {
  const access = { mayApprove: hasRight(rights, ["approve"]), ...defined({ subject }) };
  return { ...gateway, open: (ceilings, listener) => gateway.open(ceilings, listener, access) };
}
