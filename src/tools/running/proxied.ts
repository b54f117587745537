import type { ToolContext } from "../../core/context.ts";
import { SessionProxyKey } from "../../core/session/session-proxy.ts";

const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
/** By these OpenSSL, Node, requests, curl, git, pip and the AWS tools find the certificates to trust. */
const CA_VARIABLES = [
  "SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "PIP_CERT",
  "AWS_CA_BUNDLE",
];

/** Returns the environment of a program, with the variables that lead it through the session's proxy if that is on. */
export async function proxied(
  environment: Readonly<Record<string, string>>,
  context: ToolContext,
): Promise<Readonly<Record<string, string>>> {
  const proxy = await context.find(SessionProxyKey)?.();
  if (proxy === undefined) return environment;
  const set = (names: readonly string[], value: string) => names.map((name) => [name, value] as const);
  return {
    ...environment,
    ...Object.fromEntries([
      ...set(PROXY_VARIABLES, proxy.url),
      ...set(CA_VARIABLES, proxy.caFile),
      ...set(["NO_PROXY", "no_proxy"], ""),
      // Node itself reads the variables only if it is asked to.
      ...set(["NODE_USE_ENV_PROXY"], "1"),
    ]),
  };
}
