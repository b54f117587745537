import type { ReadResourceResult } from "@modelcontextprotocol/client";
import { provide } from "../../../core/context.ts";
import type { JsonObject } from "../../../core/json.ts";
import { ResourceTaker } from "../../../sources/mcp/resource-tools.ts";
import type { CallOutcome } from "../clients/call-tool.ts";
import type { ClientCall, ClientSession } from "../clients/client-session.ts";
import { toProtocolFault } from "./to-protocol.ts";
import type { ResourcePlace } from "../upstream/upstream.ts";

export interface ResourceRequest extends Pick<ClientCall, "ending" | "hear" | "ask"> {
  /** As the client knows it. */
  readonly uri: string;
  readonly place: ResourcePlace;
  readonly mask: (text: string) => string;
}

/**
 * Reads a resource of a server behind us as a call of `read_resource`: judged, approved and kept like one. What was read is passed
 * on as it is, secrets masked.
 */
export async function readResource(
  session: ClientSession,
  { uri, place, mask, ...how }: ResourceRequest,
): Promise<CallOutcome> {
  let read: ReadResourceResult | undefined;
  const take = provide(ResourceTaker, (given) => {
    read = given;
  });
  const input = { server: place.server, uri: place.uri };
  const { result } = await session.call({ ...how, name: "read_resource", input, context: [take] });
  if (!result.ok) return { error: toProtocolFault(result.error) };
  const { contents, ...rest } = read ?? { contents: [] };
  const shown = contents.map((piece) => ({
    ...piece,
    // What the server calls by its own address is what the client has asked for.
    uri: piece.uri === place.uri ? uri : piece.uri,
    ...("text" in piece && { text: mask(piece.text) }),
  }));
  return { result: { ...rest, contents: shown } as unknown as JsonObject };
}
