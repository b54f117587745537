import type { OidcSetting } from "../../config/settings/auth-setting.ts";
import type { Refusal } from "../login/refusal.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const MCP = /^\/mcp(?:\/[^/]+)?$/;

/** Returns the resources of RFC 8707 that an access token may be for, to be sent to this path; none for a path that takes no access tokens. */
export function resourcesOf(pathname: string, base: string): readonly string[] {
  if (!MCP.test(pathname)) return [];
  return [...new Set([`${base}/mcp`, `${base}${pathname}`])];
}

/** Returns the metadata of RFC 9728 at a path; undefined for a path that has none. What is not there has it too, so that nobody learns which names there are. */
export function resourceMetadata(
  pathname: string,
  base: string,
  { issuer, mcpScopes }: OidcSetting,
): Response | undefined {
  if (!pathname.startsWith(WELL_KNOWN)) return undefined;
  const resource = pathname.slice(WELL_KNOWN.length) || "/mcp";
  if (!MCP.test(resource)) return undefined;
  return Response.json({
    resource: `${base}${resource}`,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    resource_name: "Toolwright",
    ...(mcpScopes !== undefined && { scopes_supported: mcpScopes }),
  });
}

/** Returns the header that says to an MCP client where to log in. */
export function challengeOf(
  { status, error }: Refusal,
  pathname: string,
  { base, oidc }: { readonly base: string; readonly oidc: OidcSetting | undefined },
): string | undefined {
  if (status !== 401 && error === undefined) return undefined;
  if (oidc === undefined || !MCP.test(pathname)) return status === 401 ? "Bearer" : undefined;
  const parts = {
    ...(error !== undefined && { error }),
    ...(oidc.mcpScopes !== undefined && { scope: oidc.mcpScopes.join(" ") }),
    resource_metadata: `${base}${WELL_KNOWN}${pathname}`,
  };
  return `Bearer ${Object.entries(parts)
    .map(([name, value]) => `${name}="${value.replaceAll(/["\\\s]/g, (one) => (one === " " ? one : ""))}"`)
    .join(", ")}`;
}
