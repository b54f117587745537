import { readFileSync } from "node:fs";
import type { JsonObject } from "../../../core/json.ts";
import type { ServerInfo } from "../types/server-types.ts";

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

export const INSTRUCTIONS =
  "The user's policy decides about each call, and some calls wait for the user's approval. " +
  "Long answers are cut; the full text is a resource, artifact://ID. " +
  "If search_tools is one of only a few tools, there are more: find them with it and activate them with activate_tools.";

/** Reads the version from package.json, which is as many folders above the sources as above the build. */
export function readServerInfo(): ServerInfo {
  const text = readFileSync(new URL("../../../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return { name: "toolwright", title: "Toolwright", version };
}

/** Returns the answer to a handshake: the client's version if it is supported, else the newest. */
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

/** Returns whether results may have resource links, which came with 2025-06-18; versions are dates. */
export function supportsLinks(version: string | undefined): boolean {
  return version !== undefined && version >= "2025-06-18";
}
