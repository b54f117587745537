import { ToolError } from "../../../core/errors.ts";
import type { Connection } from "../connection/connect.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import type { HashedDefinition, ReadDefinitions } from "./definition.ts";
import { readDefinitions } from "./definition.ts";
import type { ListOptions } from "./list-all.ts";
import { listAll } from "./list-all.ts";

/** The tools of a server as it listed them, asked for once a connection and again after it said that they have changed. */
export interface Listing {
  read(connection: Connection, signal: AbortSignal): Promise<ReadDefinitions>;
  /** True where it was looked at before, and is still what it was when it was registered. */
  isSame(connection: Connection, tool: HashedDefinition): boolean;
  /** Rejects where the tool is not what it was when it was registered: what was approved is what is called. */
  assertSame(connection: Connection, tool: HashedDefinition, signal: AbortSignal): Promise<void>;
  /** The server said that its list has changed. */
  forget(): void;
}

export function createListing(server: string, limits: Omit<ListOptions, "signal">): Listing {
  let lists = new WeakMap<Connection, Promise<ReadDefinitions>>();
  /** What was listed and looked at: for every further call of the tool. */
  let same = new WeakMap<Connection, Map<string, string>>();
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
    same.get(connection)?.get(definition.name) === hash;
  return {
    read,
    isSame,
    async assertSame(connection, tool, signal) {
      if (isSame(connection, tool)) return;
      const { definition, hash } = tool;
      const known = same;
      const { definitions } = await read(connection, signal);
      const now = definitions.find((one) => one.definition.name === definition.name);
      // In what was known before it was asked: a list that has changed meanwhile is another one.
      if (now?.hash === hash) {
        known.set(connection, (known.get(connection) ?? new Map()).set(definition.name, hash));
        return;
      }
      const what = now === undefined ? "has no such tool any more" : "has changed it since it was approved";
      throw new ToolError("TOOL_DISABLED", `the MCP server "${server}" ${what}`, {
        hint: now === undefined ? "refresh the tools" : `run toolwright mcp approve ${server}`,
      });
    },
    forget() {
      lists = new WeakMap();
      same = new WeakMap();
    },
  };
}
