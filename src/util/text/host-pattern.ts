/** Returns true if the host matches. */
export type HostPattern = (host: string) => boolean;

/** Compiles the hosts of a rule: a host, `*.example.com` for its subdomains, or `*` for all hosts. */
export function compileHosts(patterns: readonly string[]): HostPattern {
  if (patterns.length === 0) return () => false;
  const tests = patterns.map(compileOne);
  return (host) => {
    const canonical = canonicalHost(host);
    return tests.some((test) => test(canonical));
  };
}

function compileOne(pattern: string): HostPattern {
  if (pattern === "*") return () => true;
  if (!pattern.startsWith("*.")) {
    const wanted = canonicalHost(pattern);
    return (host) => host === wanted;
  }
  const parent = `.${canonicalHost(pattern.slice(2))}`;
  return (host) => host.length > parent.length && host.endsWith(parent);
}

/** No host name is longer. */
const MAX_HOST = 253;
const PLAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]*[a-z][a-z0-9-]*)*$/;
/** If the last label is a number in any base, the host is an IP address. */
const ADDRESS = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;

/** Returns the host as a network client resolves it: lower case, no trailing dot, canonical addresses, ASCII (punycode) labels. */
export function canonicalHost(host: string): string {
  if (host.length > MAX_HOST) return host;
  if (PLAIN.test(host) && !ADDRESS.test(host)) return host;
  try {
    return new URL(`http://${host}/`).hostname.replace(/\.$/, "");
  } catch {
    return host.toLowerCase().replace(/\.$/, "");
  }
}
