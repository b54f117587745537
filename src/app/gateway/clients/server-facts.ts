import { readFileSync } from "node:fs";
import type { JsonObject } from "../../../core/json.ts";

/** The newest first. The newer revision without a handshake is asked for in another way. */
export const HANDSHAKE_VERSIONS = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
] as const;

/** What we offer, whatever is behind us: a list may be empty. */
export const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

export const INSTRUCTIONS =
  "Calls are judged by the user's policy, and some wait until the user has approved them. " +
  "A long answer is cut; the whole of it is a resource, artifact://ID. " +
  "Where search_tools is one of few tools, there are more: find them with it and switch them on with activate_tools.";

export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** Who we are. The package's own file lies as far above the sources as above what is built from them. */
export function readServerInfo(): ServerInfo {
  const text = readFileSync(new URL("../../../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return { name: "toolwright", title: "Toolwright", version };
}

/** The answer to a handshake: what the client asked for where we speak it, else the newest we do. */
export function greet(info: ServerInfo, params: unknown): JsonObject {
  const { protocolVersion } = (params ?? {}) as { readonly protocolVersion?: unknown };
  const chosen = HANDSHAKE_VERSIONS.find((version) => version === protocolVersion) ?? HANDSHAKE_VERSIONS[0];
  return {
    protocolVersion: chosen,
    capabilities: CAPABILITIES,
    serverInfo: { ...info },
    instructions: INSTRUCTIONS,
  };
}

/** Links in answers came with 2025-06-18; these versions are dates. */
export function knowsLinks(version: string | undefined): boolean {
  return version !== undefined && version >= "2025-06-18";
}
