import type { McpSource } from "../../../sources/mcp/source.ts";
import type { Trusted } from "../../host/store/apply-trust.ts";
import { openServer } from "../../host/sources/mcp-sources.ts";
import type { Store } from "../../host/store/open-configured-store.ts";
import { namedEntry } from "./named-entry.ts";

export interface OpenNamedOptions {
  readonly store: Store | undefined;
  /** Called with each secret of a login before it is used. */
  readonly onSecret?: (secret: string) => void;
}

/** Returns the source of the server with this name, not yet started. Throws if there is none, it is unusable, or it is not trusted. */
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
