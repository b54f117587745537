import { canonicalHost, meansOwnMachine, readHost, type Host } from "./host.ts";

/** Returns true if the host matches. */
export type HostPattern = (host: string | Host) => boolean;

type Test = (host: Host) => boolean;

/**
 * Compiles the hosts of what allows: a host, `*.example.com` for its subdomains, or `*` for all hosts. A host whose canonical
 * form is not certain matches nothing else than `*`.
 */
export function compileAllowedHosts(patterns: readonly string[]): HostPattern {
  return toPattern(patterns, (pattern) => {
    if (isWildcard(pattern)) {
      const isBelow = below(pattern);
      return ({ name }) => name !== undefined && isBelow(name);
    }
    const { name: wanted } = readHost(pattern);
    return ({ name }) => name !== undefined && name === wanted;
  });
}

/**
 * Compiles the hosts of what denies or asks. A host matches if one of its forms does, or if it may be any host; every
 * spelling of this machine is the same host.
 */
export function compileRestrictedHosts(patterns: readonly string[]): HostPattern {
  return toPattern(patterns, (pattern) => {
    if (isWildcard(pattern)) {
      const isBelow = below(pattern);
      return ({ forms }) => forms.length === 0 || forms.some(isBelow);
    }
    const wanted = readHost(pattern);
    const names = wanted.forms.length === 0 ? [canonicalHost(pattern)] : wanted.forms;
    const isOwn = meansOwnMachine(wanted);
    return ({ forms, isOwn: reachesOwn }) =>
      forms.length === 0 || (isOwn && reachesOwn) || forms.some((form) => names.includes(form));
  });
}

function toPattern(patterns: readonly string[], compile: (pattern: string) => Test): HostPattern {
  if (patterns.length === 0) return () => false;
  const tests = patterns.map((pattern): Test => (pattern === "*" ? () => true : compile(pattern)));
  return (host) => {
    const canonical = typeof host === "string" ? readHost(host) : host;
    return tests.some((test) => test(canonical));
  };
}

function isWildcard(pattern: string): boolean {
  return pattern.startsWith("*.");
}

function below(pattern: string): (name: string) => boolean {
  const parent = `.${canonicalHost(pattern.slice(2))}`;
  return (name) => name.length > parent.length && name.endsWith(parent);
}
