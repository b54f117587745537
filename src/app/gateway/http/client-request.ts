import type { Server } from "@modelcontextprotocol/server";
import { MODES, type Ceiling } from "../../../core/policy.ts";
import { defined } from "../../../util/json/defined.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { nearNames } from "../../../util/text/near-names.ts";
import type { ServerPorts } from "../calls/call-types.ts";
import { parseNames } from "../sessions/visible-tools.ts";
import type { Gateway } from "../sessions/gateway.ts";
import type { Sdk } from "../types/gateway-types.ts";

/** What clients over HTTP share. */
export interface HttpClientPorts {
  readonly sdk: Sdk;
  readonly gateway: Gateway;
  readonly createServer: (client: Pick<ServerPorts, "ceilings" | "level" | "session" | "started">) => Server;
}

const LIMITS: readonly string[] = ["mode", "tools"];

/** Returns what is wrong with the limits in a client's address. Other parameters are allowed, but no misspelt limit is ignored. */
export function problemOf({ url }: Request): string | undefined {
  const { searchParams } = new URL(url);
  const mode = searchParams.get("mode");
  if (mode !== null && !MODES.some((one) => one === mode)) return `mode must be one of ${MODES.join(", ")}`;
  const others = [...searchParams.keys()].filter((key) => !LIMITS.includes(key));
  const misspelt = others.find((key) => nearNames(key, LIMITS).length > 0);
  return misspelt && `unknown parameter ${misspelt}: ${nearHint(misspelt, LIMITS, "")}`;
}

/** Returns our ceilings and the one in the client's address, which has no problem: `?mode=plan&tools=read_*,grep`. */
export function ceilingsOf({ url }: Request, own: readonly Ceiling[]): readonly Ceiling[] {
  const { searchParams } = new URL(url);
  const wanted = searchParams.get("mode");
  const mode = MODES.find((one) => one === wanted);
  const names = searchParams.get("tools");
  const tools = names === null ? undefined : parseNames(names);
  return mode === undefined && tools === undefined ? own : [...own, defined({ mode, tools })];
}
