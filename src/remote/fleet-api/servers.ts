import { ToolError } from "../../core/errors.ts";
import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { FLEET_ADDRESS, FLEET_NAME } from "../../core/fleet-names.ts";
import type { FleetAddress, FleetTls } from "../fleet/types/options.ts";

const TEXT = "a text that is not empty";

export const SERVER_KINDS: OptionKinds<FleetAddress> = {
  servers: "a list of texts",
  namespace: TEXT,
  credentials: TEXT,
  tls: "an object",
  replicas: "a positive number",
};

const TLS_KINDS: OptionKinds<FleetTls> = { ca: TEXT, cert: TEXT, key: TEXT };

const ADDRESS = new RegExp(FLEET_ADDRESS);
const NAME = new RegExp(FLEET_NAME);

/** Throws `INVALID_INPUT` for servers without an address or with an invalid one, and for an invalid namespace. */
export function checkServers(what: string, { servers, namespace, tls }: FleetAddress): void {
  if (!Array.isArray(servers) || servers.length === 0)
    throw new ToolError("INVALID_INPUT", `${what}: servers: expected at least one address`, {
      hint: 'use servers: ["nats://127.0.0.1:4222"]',
    });
  const invalid = servers.find((one) => !ADDRESS.test(one));
  if (invalid !== undefined)
    throw new ToolError("INVALID_INPUT", `${what}: servers: invalid address ${JSON.stringify(invalid)}`, {
      hint: "expected an address such as nats://10.0.0.5:4222 or tls://nats.example.com",
    });
  if (namespace !== undefined) checkName(what, "namespace", namespace);
  if (tls !== undefined) checkOptions(`${what}: tls`, tls, TLS_KINDS);
}

/** Throws `INVALID_INPUT` for a name that cannot be a part of a subject. */
export function checkName(what: string, option: string, name: string): void {
  if (NAME.test(name)) return;
  const message = `${what}: ${option}: invalid name ${JSON.stringify(name)}; expected letters, digits, - and _`;
  throw new ToolError("INVALID_INPUT", message);
}
