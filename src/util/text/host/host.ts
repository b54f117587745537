import { canonicalIPv6, embeddedIPv4, mappedIPv4 } from "./ip-address.ts";

/** A host in canonical form, the same for every spelling. */
export interface Host {
  /** As a network client resolves it; undefined if that is not certain. IPv6 addresses have no brackets. */
  readonly name: string | undefined;
  /** The names of every host that the text may stand for, its own first; empty if it may be any. */
  readonly forms: readonly string[];
  /** It reaches this machine: `localhost`, a loopback address, or the address of no host, such as `0`. */
  readonly isOwn: boolean;
}

/** A host that is only known when it is used. */
export const UNKNOWN_HOST: Host = Object.freeze({ name: undefined, forms: [], isOwn: true });

/** No host is longer, even if each of its characters is percent-encoded. */
const MAX_HOST = 2300;
const PLAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]*[a-z][a-z0-9-]*)*$/;
/** If the last label is a number in any base, the host is an IP address. */
const ADDRESS = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;
const BRACKETED = /^\[([^[\]]*)\](?::\d*)?$/;
/** In front of a host, or after it, or part of none; `{` and `$` are to be replaced. */
const NOT_IN_HOST = /[\s/?#@\\[\]{}$`*"'<>|^]/;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * Returns a host in canonical form: lower case, no trailing dot, no port, ASCII (punycode) labels, and one spelling for
 * each address. An IPv6 address that is mapped from IPv4 is that IPv4 address; a zone id is ignored, but leaves a doubt.
 */
export function readHost(text: string): Host {
  if (text.length > MAX_HOST) return UNKNOWN_HOST;
  if (PLAIN.test(text) && !ADDRESS.test(text)) return named(text);
  const bracketed = BRACKETED.exec(text)?.[1];
  if (bracketed !== undefined || /:.*:/s.test(text)) return readIPv6(bracketed ?? text);
  if (NOT_IN_HOST.test(text)) return UNKNOWN_HOST;
  const name = resolvedName(text);
  if (name === undefined) return UNKNOWN_HOST;
  return IPV4.test(name) ? address(name, [name, ...decimalForms(text)]) : named(name, olderForms(text));
}

/** Returns the name of a host in canonical form, or the text in lower case if that is not certain. */
export function canonicalHost(text: string): string {
  return readHost(text).name ?? text.toLowerCase();
}

/** Maps and decodes it as a URL does. */
function resolvedName(text: string): string | undefined {
  try {
    const name = new URL(`http://${text}/`).hostname.replace(/\.+$/, "");
    return name === "" ? undefined : name;
  } catch {
    return undefined;
  }
}

function named(name: string, more: readonly string[] = []): Host {
  return { name, forms: [name, ...more], isOwn: isOwnName(name) };
}

const NO_HOST = "0.0.0.0";

function address(name: string | undefined, forms: readonly string[]): Host {
  return { name, forms, isOwn: forms.some(isOwnAddress) };
}

function readIPv6(text: string): Host {
  const [withoutZone = "", ...zone] = text.split("%");
  const canonical = canonicalIPv6(withoutZone);
  if (canonical === undefined) return UNKNOWN_HOST;
  const mapped = mappedIPv4(canonical);
  // Nothing translates an address of no network: `::1` does not stand for 0.0.0.1.
  const embedded = embeddedIPv4(canonical).filter((one) => one === mapped || !one.startsWith("0."));
  const forms = [canonical, ...embedded];
  return address(zone.length > 0 ? undefined : (mapped ?? canonical), forms);
}

/** Some programs read numbers with leading zeros as decimal, not as octal. */
function decimalForms(text: string): readonly string[] {
  const parts = text.replace(/(?::\d*|\.)$/, "").split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,9}$/.test(part) && Number(part) < 256)) return [];
  return [parts.map(Number).join(".")];
}

/** IDNA of 2003 maps some characters that IDNA of 2008 does not. */
function olderForms(text: string): readonly string[] {
  if (!/[\u00df\u1e9e\u03c2\u200c\u200d]/.test(text)) return [];
  const older = text
    .replaceAll(/[\u00df\u1e9e]/g, "ss")
    .replaceAll("ς", "σ")
    .replaceAll(/[\u200c\u200d]/g, "");
  return [resolvedName(older) ?? older];
}

const OWN_NAMES: ReadonlySet<string> = new Set(
  (
    "localhost localhost.localdomain localhost4 localhost4.localdomain4 localhost6 localhost6.localdomain6 " +
    "ip6-localhost ip6-loopback"
  ).split(" "),
);

function isOwnName(name: string): boolean {
  return OWN_NAMES.has(name) || name.endsWith(".localhost");
}

/** A connection to the address of no host reaches this machine. */
function isOwnAddress(name: string): boolean {
  return name === "::1" || name === "::" || name === NO_HOST || name.startsWith("127.");
}

const OWN_ADDRESSES: ReadonlySet<string> = new Set(["127.0.0.1", "::1", NO_HOST, "::"]);

/** Returns true for a name by which a rule means this machine, and not one of its loopback addresses. */
export function meansOwnMachine({ name = "" }: Host): boolean {
  return OWN_NAMES.has(name) || OWN_ADDRESSES.has(name);
}
