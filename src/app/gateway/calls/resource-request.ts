import { provide } from "../../../core/context.ts";
import type { JsonObject } from "../../../core/json.ts";
import { ResourceReceiver } from "../../../sources/mcp/resource-tools.ts";
import type { McpResourceResult } from "../../../sources/mcp/types/source-types.ts";
import type { CallOutcome, ClientSession, ResourcePlace } from "../types/gateway-types.ts";
import type { CallRequest } from "../types/server-types.ts";
import { toProtocolFault } from "./protocol-fault.ts";

export interface ReadOptions {
  /** The address that the client uses. */
  readonly uri: string;
  readonly place: ResourcePlace;
  readonly mask: (text: string) => string;
}

/**
 * Returns the request of `resources/read` for an upstream resource: a call of `read_resource`, judged, approved and stored like any
 * other. The content is passed on unchanged, with secrets masked.
 */
export function resourceRequest(session: ClientSession, { uri, place, mask }: ReadOptions): CallRequest {
  let read: McpResourceResult | undefined;
  const take = provide(ResourceReceiver, (given) => {
    read = given;
  });
  return {
    session,
    name: "read_resource",
    input: { server: place.server, uri: place.uri },
    context: [take],
    toOutcome({ result }): CallOutcome {
      if (!result.ok) return { error: toProtocolFault(result.error) };
      const { contents, ...rest } = read ?? { contents: [] };
      const shown = contents.map((piece) => ({
        ...piece,
        // The server uses its own address for the one that the client requested.
        uri: piece.uri === place.uri ? uri : piece.uri,
        ...("text" in piece && { text: mask(piece.text) }),
      }));
      return { result: { ...rest, contents: shown } as unknown as JsonObject };
    },
  };
}
