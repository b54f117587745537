import { readHost, UNKNOWN_HOST, type Host } from "../../util/text/host/host.ts";
import { expandCurlGlobs } from "../../shell/syntax/curl-globs.ts";

/**
 * Where a text names hosts. `urls`: in URLs, after a user name and in `/dev/tcp/…`. `arguments`: each word of a network program
 * may be one, too. `code`: each word of code may be one.
 */
export type HostPlaces = "urls" | "arguments" | "code";

/** More names than this are not compared: the text may name any host. */
const MAX_NAMES = 8000;
/** So may globs with more results. */
const MAX_EXPANDED = 256;

/** The part of a URL between `//` and the path; a glob of curl in it may have commas. */
const AUTHORITY = /(?:\{[^{}\s'"]*\}|\[[^[\]\s'"]*\]|[^\s/?#'"\\()<>,;|`{}[\]])*/y;
const AFTER_USER = /@(\[[^[\]\s]*\]|[^\s/?#'"\\()<>,;|`:@{}[\]$=]+)/g;
const DEVICE = /\/dev\/(?:tcp|udp)\/([^/\s'"]+)/g;
const BRACKETED = /\[([^[\]\s]*)\]/g;
const IPV6 = /^[\da-f.]*:/i;
/** What ends a word that may be a host. */
const BETWEEN = /[\s/?#'"\\()<>,;|`=&!*~^+$]+/;
const HAS_GLOB = /\{[^{}\s]*,|\[[^[\]\s:]+-/;

/** Returns the hosts that the texts name, in canonical form. Linear in the length of the texts. */
export function hostsIn(texts: readonly string[], places: HostPlaces): readonly Host[] {
  const names = new Set<string>();
  const named = { names, isUnknown: false };
  for (const text of new Set(texts)) {
    addUrls(text, named);
    if (text.includes("@")) for (const [, host = ""] of text.matchAll(AFTER_USER)) names.add(host);
    if (text.includes("/dev/")) for (const [, host = ""] of text.matchAll(DEVICE)) addAuthority(host, named);
    if (places !== "urls") addWords(text, places, named);
    if (names.size > MAX_NAMES) return [UNKNOWN_HOST];
  }
  const hosts = [...names].map(readHost).filter((host) => host !== UNKNOWN_HOST);
  return named.isUnknown ? [...hosts, UNKNOWN_HOST] : hosts;
}

interface Found {
  readonly names: Set<string>;
  /** One of them may be any host. */
  isUnknown: boolean;
}

function addUrls(text: string, found: Found): void {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    AUTHORITY.lastIndex = at + 3;
    const [authority = ""] = AUTHORITY.exec(text) ?? [];
    if (authority !== "") addExpanded(authority, found);
  }
}

function addExpanded(authority: string, found: Found): void {
  if (!HAS_GLOB.test(authority)) return addAuthority(authority, found);
  const expanded = authority.length > MAX_WORD ? undefined : expandCurlGlobs(authority, MAX_EXPANDED);
  if (expanded === undefined) found.isUnknown = true;
  // A choice may contain a path or a whole URL.
  for (const one of expanded ?? [])
    addAuthority((one.split("://").at(-1) ?? "").split(/[/?#]/, 1)[0] ?? "", found);
}

/** Adds the host of `user:password@host:port`; an IPv6 address is in brackets, except after `/dev/tcp/`. */
function addAuthority(authority: string, found: Found): void {
  const rest = authority.slice(authority.lastIndexOf("@") + 1);
  const isIPv6 = rest.startsWith("[") || /:.*:/s.test(rest);
  const host = isIPv6 ? rest.replace(/(?<=\]).*$/s, "") : (rest.split(":", 1)[0] ?? "");
  if (host === "") return;
  if (readHost(host) === UNKNOWN_HOST) found.isUnknown = true;
  else found.names.add(host);
}

function addWords(text: string, places: HostPlaces, found: Found): void {
  if (text.includes("["))
    for (const [, inner = ""] of text.matchAll(BRACKETED)) if (IPV6.test(inner)) found.names.add(inner);
  if (places === "arguments") addArguments(text, found);
  const countsZero = places === "arguments" || CONNECTS.test(text);
  for (const word of text.split(BETWEEN)) {
    if (word.length > MAX_WORD) continue;
    for (const piece of word.split(/[[\]{}@]+/).flatMap(withSetting)) {
      for (const name of namesIn(piece)) if (countsZero || !ZERO.test(name)) found.names.add(name);
    }
  }
}

function addArguments(text: string, found: Found): void {
  if (HAS_GLOB.test(text)) addGlobs(text, found);
  // A port without a host: `http :8080/x`.
  if (/(?:^|\s):\d/.test(text)) found.names.add("localhost");
  if (LONG_CLUSTER.test(text)) found.isUnknown = true;
}

/** A host of this length has every character percent-encoded. */
const MAX_WORD = 2300;
/** In code, a zero is a host only if something connects: `x = 0` is not. */
const ZERO = /^(?:0+|0x0*)(?:\.(?:0+|0x0*)){0,2}$/i;
const CONNECTS = /sock|connect|inet|http|fetch|tcp|udp|remote|dial|telnet|ftp|ssh|url/i;

function addGlobs(text: string, found: Found): void {
  for (const word of text.split(/[\s'"]+/)) {
    if (!HAS_GLOB.test(word)) continue;
    AUTHORITY.lastIndex = word.indexOf("//") < 0 ? 0 : word.indexOf("//") + 2;
    const [authority = ""] = AUTHORITY.exec(word) ?? [];
    if (HAS_GLOB.test(authority)) addExpanded(authority, found);
  }
}

/** The letters in front of the value in a cluster of options: `-sx127.0.0.1`. After more of them any host may follow. */
const MAX_CLUSTER = 64;
const LONG_CLUSTER = new RegExp(`(?<![\\w-])-[A-Za-z]{${MAX_CLUSTER + 1}}`);

/** Returns the text and, of `url.HOST:.insteadOf`, a setting of git, the host. */
function withSetting(text: string): readonly string[] {
  const host = text.replaceAll(/^url\.|\.(?:push)?insteadof$/gi, "");
  return host === text ? [text] : [text, host];
}

function namesIn(piece: string): readonly string[] {
  if (!/[\w\u0080-\uffff]/.test(piece)) return piece.includes("::") ? [piece] : [];
  const parts = piece.split(":");
  // An IPv6 address without brackets, also after a host or a port.
  const addresses = parts.length > 2 ? parts.slice(0, 16).map((_, at) => parts.slice(at).join(":")) : [];
  if (!piece.startsWith("-")) return [...addresses, ...parts.filter((part) => part !== "")];
  const cluster = /^-[A-Za-z]+/.exec(parts[0] ?? "")?.[0].length ?? 0;
  const ends = Array.from({ length: Math.max(0, Math.min(cluster, MAX_CLUSTER) - 1) }, (_, at) => at + 2);
  return [
    ...addresses,
    ...parts.filter((part) => part !== ""),
    ...ends.map((at) => (parts[0] ?? "").slice(at)),
  ];
}
