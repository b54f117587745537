import { ToolError } from "../../../core/errors.ts";
import type { Connection } from "../connection/connection.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import type { HashedDefinition } from "../types/source-types.ts";
import { readDefinitions, type ReadDefinitions } from "./definition.ts";
import { listAll, type ListOptions } from "./list-all.ts";

/** Caches the tool list of a server per connection, until the server reports a change. */
export interface Listing {
  read(connection: Connection, signal: AbortSignal): Promise<ReadDefinitions>;
  /** Returns true if the tool was checked on this connection and is unchanged since it was registered. */
  isSame(connection: Connection, tool: HashedDefinition): boolean;
  /** Rejects if the tool has changed since it was registered: what was approved is what is called. */
  assertSame(connection: Connection, tool: HashedDefinition, signal: AbortSignal): Promise<void>;
  /** Drops the cached lists: the server reported a change. */
  forget(): void;
}

export function createListing(server: string, limits: Omit<ListOptions, "signal">): Listing {
  let lists = new WeakMap<Connection, Promise<ReadDefinitions>>();
  /** The hashes of checked tools, for further calls. */
  let checked = new WeakMap<Connection, Map<string, string>>();
  const list = async (connection: Connection): Promise<ReadDefinitions> => {
    const never = new AbortController().signal;
    const listed = await listAll(connection, "tools", { ...limits, signal: never });
    return readDefinitions(server, listed, connection.hasHeaders);
  };
  const read = (connection: Connection, signal: AbortSignal): Promise<ReadDefinitions> => {
    const found = lists.get(connection) ?? list(connection);
    lists.set(connection, found);
    found.catch(() => lists.delete(connection));
    return untilAborted(found, signal);
  };
  const isSame: Listing["isSame"] = (connection, { definition, hash }) =>
    checked.get(connection)?.get(definition.name) === hash;
  return {
    read,
    isSame,
    async assertSame(connection, tool, signal) {
      if (isSame(connection, tool)) return;
      const { definition, hash } = tool;
      const known = checked;
      const { definitions } = await read(connection, signal);
      const now = definitions.find((one) => one.definition.name === definition.name);
      // Stored in the map from before the request: a list that changed in the meantime has a new map.
      if (now?.hash === hash) {
        known.set(connection, (known.get(connection) ?? new Map()).set(definition.name, hash));
        return;
      }
      const what =
        now === undefined ? "no longer has this tool" : "has changed this tool since it was approved";
      throw new ToolError("TOOL_DISABLED", `the MCP server "${server}" ${what}`, {
        hint: now === undefined ? "refresh the tools" : `run toolwright mcp approve ${server}`,
      });
    },
    forget() {
      lists = new WeakMap();
      checked = new WeakMap();
    },
  };
}
