/** Says whether a host is meant. */
export type HostPattern = (host: string) => boolean;

/** Compiles the hosts of a rule: a host itself, `*.example.com` for every host below it, `*` for all. */
export function compileHosts(patterns: readonly string[]): HostPattern {
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

const PLAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]*[a-z][a-z0-9-]*)*$/;
/** Whose last part is a number, in whatever base, is an address. */
const ADDRESS = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;

/** A host as the one who dials it sees it: no case, no dot at the end, numbers as an address, letters in their ASCII form. */
export function canonicalHost(host: string): string {
  if (PLAIN.test(host) && !ADDRESS.test(host)) return host;
  try {
    return new URL(`http://${host}/`).hostname.replace(/\.$/, "");
  } catch {
    return host.toLowerCase().replace(/\.$/, "");
  }
}
