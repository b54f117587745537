import type { JsonObject } from "../../../core/json.ts";
import { ToolError } from "../../../core/errors.ts";
import type { ProtocolFault } from "../clients/call-tool.ts";
import type { Sdk } from "./server-ports.ts";

const INTERNAL_ERROR = -32_603;

/** What is said of a failure, thrown or answered. */
interface Told {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: JsonObject | undefined;
}

/** A fault as an error of the protocol; one that a server behind us gave keeps its number. */
export function toProtocolFault({ code, message, hint, details }: Told): ProtocolFault {
  const { rpc_code: rpcCode } = details ?? {};
  const told = hint === undefined ? message : `${message}; ${hint}`;
  return { code: typeof rpcCode === "number" ? rpcCode : INTERNAL_ERROR, message: told, data: { code } };
}

/** For a `catch`: what was thrown, as an error of the protocol. */
export function toProtocol(sdk: Sdk): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, data } = toProtocolFault(error);
    throw new sdk.ProtocolError(code, message, data);
  };
}
