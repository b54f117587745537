import type { Server } from "@modelcontextprotocol/server";
import { MODES, type Ceiling } from "../../../core/policy.ts";
import { defined } from "../../../util/json/defined.ts";
import type { ServerPorts } from "../types/server-types.ts";
import { parseNames } from "../sessions/visible-tools.ts";
import type { Gateway, Sdk } from "../types/gateway-types.ts";

export const MAX_BODY = 32 * 1024 * 1024;

/** What clients over HTTP share. */
export interface HttpClientPorts {
  readonly sdk: Sdk;
  readonly gateway: Gateway;
  readonly createServer: (client: Pick<ServerPorts, "ceilings" | "level" | "session" | "started">) => Server;
}

/** Returns our ceilings and the one in the client's address, `?mode=plan&tools=read_*,grep`; undefined if its mode is unknown. */
export function ceilingsOf(request: Request, own: readonly Ceiling[]): readonly Ceiling[] | undefined {
  const { searchParams } = new URL(request.url);
  const wanted = searchParams.get("mode");
  const mode = MODES.find((one) => one === wanted);
  if (wanted !== null && mode === undefined) return undefined;
  const names = searchParams.get("tools");
  const tools = names === null ? undefined : parseNames(names);
  return mode === undefined && tools === undefined ? own : [...own, defined({ mode, tools })];
}
