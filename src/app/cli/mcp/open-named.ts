import type { McpSource } from "../../../sources/mcp/source.ts";
import type { Trusted } from "../../host/store/apply-trust.ts";
import { openServer } from "../../host/sources/mcp-sources.ts";
import type { Store } from "../../host/store/open-configured-store.ts";
import { namedEntry } from "./named-entry.ts";

export interface OpenNamedOptions {
  readonly store: Store | undefined;
  /** Told each value of a login that nobody may see, before it is used. */
  readonly onSecret?: (secret: string) => void;
}

/** The server of that name, ready to be started. Throws where there is none, it cannot be used, or it is not trusted. */
export function openNamed(
  trusted: Pick<Trusted, "config" | "isTrusted">,
  name: string,
  { store, onSecret }: OpenNamedOptions,
): McpSource {
  return openServer(namedEntry(trusted, name), trusted.config, {
    ...(store !== undefined && { collections: store.collections }),
    ...(onSecret !== undefined && { onSecret }),
  });
}
