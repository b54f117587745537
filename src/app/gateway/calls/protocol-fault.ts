import type { JsonObject } from "../../../core/json.ts";
import { ToolError } from "../../../core/errors.ts";
import type { CallOutcome, ProtocolFault, Sdk } from "../types/gateway-types.ts";

const INTERNAL_ERROR = -32_603;

interface Fault {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: JsonObject | undefined;
}

/** Converts a fault to an error of the protocol; one from an upstream server keeps its number. */
export function toProtocolFault({ code, message, hint, details }: Fault): ProtocolFault {
  const { rpc_code: rpcCode } = details ?? {};
  const text = hint === undefined ? message : `${message}; ${hint}`;
  return { code: typeof rpcCode === "number" ? rpcCode : INTERNAL_ERROR, message: text, data: { code } };
}

/** Returns a function for `catch` that throws a `ToolError` as an error of the protocol, and everything else unchanged. */
export function rethrowAsProtocol(sdk: Sdk): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, data } = toProtocolFault(error);
    throw new sdk.ProtocolError(code, message, data);
  };
}

/** Returns the result of an outcome, or throws its error. */
export function toResult(sdk: Sdk, outcome: CallOutcome): never {
  if ("result" in outcome) return outcome.result as never;
  const { code, message, data } = outcome.error;
  throw new sdk.ProtocolError(code, message, data);
}
