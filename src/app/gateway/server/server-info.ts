import type { ServerInfo } from "../types/public-types.ts";
import { packageVersion } from "../../../system/package-files.ts";
import type { JsonObject } from "../../../core/json.ts";

/** Newest first. The revision after these has no handshake. */
export const HANDSHAKE_VERSIONS = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
] as const;

/** Independent of the upstream servers: a list may be empty. */
export const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** Returns the name and version that the server presents itself with. */
export function readServerInfo(): ServerInfo {
  return { name: "toolwright", title: "Toolwright", version: packageVersion() };
}

/** Returns the answer to a handshake: the client's version if it is supported, else the newest. */
export function greet(info: ServerInfo, params: unknown, instructions: string): JsonObject {
  const { protocolVersion } = (params ?? {}) as { readonly protocolVersion?: unknown };
  const chosen = HANDSHAKE_VERSIONS.find((version) => version === protocolVersion) ?? HANDSHAKE_VERSIONS[0];
  const greeting = { capabilities: CAPABILITIES, serverInfo: { ...info }, instructions };
  return { protocolVersion: chosen, ...greeting };
}
