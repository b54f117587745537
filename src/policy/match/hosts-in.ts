/** What ends a host in a URL. */
const AFTER_HOST = /[\s/?#'"\\()<>,;]/;

/**
 * Returns the hosts in texts: after `://` and after a `@`; with `areBare`, everything that can be a host. Linear in the
 * length of the texts.
 */
export function hostsIn(texts: readonly string[], areBare: boolean): readonly string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const rest of text.split("://").slice(1)) addAddress(rest.split(AFTER_HOST, 1)[0] ?? "", found);
    for (const rest of text.split("@").slice(1)) found.add(/^[\w.-]*/.exec(rest)?.[0] ?? "");
    if (areBare) for (const word of text.split(/[^\w.-]+/)) if (/^\w/.test(word)) found.add(word);
  }
  found.delete("");
  return [...found];
}

/** Adds the host of `user:password@host:port`; an IPv6 address is in brackets. */
function addAddress(authority: string, found: Set<string>): void {
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  found.add(host.startsWith("[") ? host.slice(0, host.indexOf("]") + 1) : (host.split(":", 1)[0] ?? ""));
}
