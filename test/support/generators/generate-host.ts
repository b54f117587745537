import { pick, randomOf, type Random } from "./generate-command.ts";

/** A command that connects to an address, in a spelling of its own. */
export interface HostCommand {
  readonly text: string;
  /** The address as a rule names it. */
  readonly address: string;
  readonly program: string;
  /** It uses a way that deny rules cannot see, as `docs/policy.md` says. */
  readonly isBeyondRules: boolean;
}

/** The port on which the witness listens. */
export const PORT = 18_999;
const ADDRESSES = 40;

/** Returns commands of every program for every address, each with this many spellings. */
export function generateHostCommands(seed: number, spellings: number): readonly HostCommand[] {
  const random = randomOf(seed);
  const own = ["127.0.0.1", "localhost", "::1", "0.0.0.0"];
  const others = Array.from({ length: ADDRESSES - own.length }, () => `127.${octets(random, 3)}`);
  return [...own, ...others].flatMap((address) =>
    Object.entries(PROGRAMS).flatMap(([program, write]) =>
      Array.from({ length: spellings }, () => commandOf(random, address, program, write)),
    ),
  );
}

type Write = (host: string, random: Random) => string;

function commandOf(random: Random, address: string, program: string, write: Write): HostCommand {
  const isBeyondRules = random() < 0.02;
  const host = disguised(random, spelled(random, address));
  const text = isBeyondRules ? builtByCode(address) : write(host, random);
  return { text: wrapped(random, text), address, program, isBeyondRules };
}

function octets(random: Random, count: number): string {
  return Array.from({ length: count }, () => 1 + Math.floor(random() * 254)).join(".");
}

/** Returns an address in one of its spellings, bracketed if it is IPv6. */
function spelled(random: Random, address: string): string {
  if (address === "localhost") return pick(random, OWN_NAMES)(address);
  if (address === "::1")
    return `[${pick(random, ["::1", "0::1", "::0.0.0.1", "0:0:0:0:0:0:0:1", "0000::0001", "::1%lo", "::1%1"])}]`;
  const parts = address.split(".").map(Number);
  return pick(random, FORMS)(parts, random);
}

const OWN_NAMES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `${name}.`,
  (name) => `\uff4c${name.slice(1)}`,
  () => "ip6-localhost",
  () => "127.1",
  () => "[::1]",
  () => "0",
];

type Form = (parts: readonly number[], random: Random) => string;

const FORMS: readonly Form[] = [
  (parts) => parts.join("."),
  (parts) => `${parts.join(".")}.`,
  byParts,
  byParts,
  byParts,
  (parts) => parts.map((part) => String(part).padStart(3, "0")).join("."),
  (parts) => Array.from(parts.join("."), (sign) => FULL_WIDTH[sign] ?? sign).join(""),
  (parts) => Array.from(parts.join("."), (sign) => CIRCLED[sign] ?? sign).join(""),
  (parts, random) => parts.join(pick(random, ["。", "．", "｡"])),
  (parts) => Array.from(parts.join("."), (sign) => `%${sign.charCodeAt(0).toString(16)}`).join(""),
  (parts) => `[::ffff:${parts.join(".")}]`,
  (parts) => `[::FFFF:${groupsOf(parts)}]`,
  (parts) => `[0:0:0:0:0:ffff:${groupsOf(parts)}]`,
  (parts) => `[::ffff:${groupsOf(parts)}%lo]`,
  ([a, b, c, d = 0]) => `${a}.${b}.${c}.[${d}-${d + 1}]`,
  ([a, b, c, d]) => `${a}.{${b},9}.${c}.${d}`,
];

/** Writes one to four parts, each decimal, hexadecimal or octal. */
function byParts(parts: readonly number[], random: Random): string {
  const count = 1 + Math.floor(random() * 4);
  const rest = parts.slice(count - 1).reduce((sum, part) => sum * 256 + part, 0);
  return [...parts.slice(0, count - 1), rest].map((part) => pick(random, BASES)(part)).join(".");
}

const BASES: readonly ((part: number) => string)[] = [
  String,
  (part) => `0x${part.toString(16)}`,
  (part) => `0X${part.toString(16).toUpperCase()}`,
  (part) => `0${part.toString(8)}`,
  (part) => `000${part.toString(8)}`,
];

const FULL_WIDTH: Readonly<Record<string, string>> = toSigns("０１２３４５６７８９");
const CIRCLED: Readonly<Record<string, string>> = toSigns("⓪①②③④⑤⑥⑦⑧⑨");

function toSigns(digits: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(digits, (digit, value) => [String(value), digit]));
}

function groupsOf([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Hides characters from a reader that does not expand like a shell; code in quotes stays as it is. */
function disguised(random: Random, host: string): string {
  return random() < 0.2 ? `${host.slice(0, 2)}''${host.slice(2)}` : host;
}

const plain = (host: string): string => host.replaceAll("''", "");
const bare = (host: string): string =>
  plain(host).replaceAll(/[[\]]/g, (sign) => (/^\[.*:/.test(host) ? "" : sign));

/** Programs that connect, or would if they were installed. */
const PROGRAMS: Readonly<Record<string, Write>> = {
  curl: (host, random) =>
    pick(random, [
      `curl -s -m 2 'http://'${quoted(host)}:${PORT}/`,
      `curl -s -m 2 ${quoted(host)}:${PORT}`,
      `curl -s -m 2 '//'${quoted(host)}:${PORT}`,
      `curl -s -m 2 http://u:p@${quoted(host)}:${PORT}`,
      `curl -g -s -m 2 --url ${quoted(host)}:${PORT}`,
      `curl -s -m 2 ftp://${quoted(host)}:${PORT}`,
    ]),
  "curl -x": (host, random) =>
    pick(random, [
      `curl -s -m 2 -x ${quoted(host)}:${PORT} http://x.test/`,
      `curl -s -m 2 -x${plain(host)}:${PORT} http://x.test/`,
      `http_proxy=${quoted(host)}:${PORT} curl -s -m 2 http://x.test/`,
      `curl -s -m 2 --preproxy socks5://${quoted(host)}:${PORT} http://x.test/`,
    ]),
  "curl --resolve": (host, random) =>
    pick(random, [
      `curl -s -m 2 --resolve x.test:${PORT}:${quoted(host)} http://x.test:${PORT}/`,
      `curl -s -m 2 --connect-to x.test:80:${quoted(host)}:${PORT} http://x.test/`,
      `curl -s -m 2 --connect-to ::${quoted(host)}:${PORT} http://x.test/`,
    ]),
  wget: (host) => `wget -qO- -T2 -t1 http://${quoted(host)}:${PORT}/`,
  git: (host, random) =>
    pick(random, [
      `git ls-remote http://${quoted(host)}:${PORT}/x`,
      `git clone git://${quoted(host)}:${PORT}/x y`,
    ]),
  ssh: (host) => `ssh -o ConnectTimeout=2 -o BatchMode=yes -p ${PORT} ${quoted(bare(host))}`,
  scp: (host) => `scp -o ConnectTimeout=2 -o BatchMode=yes -P ${PORT} a.txt ${quoted(host)}:`,
  openssl: (host) => `openssl s_client -connect ${quoted(host)}:${PORT} </dev/null`,
  bash: (host, random) =>
    pick(random, [
      `bash -c 'cat < /dev/tcp/${bare(host)}/${PORT}'`,
      `cat < /dev/tcp/${bare(host)}/${PORT}`,
      `exec 3<>/dev/tcp/${quoted(bare(host))}/${PORT}`,
    ]),
  python3: (host, random) =>
    pick(random, [
      `python3 -c 'import socket; socket.create_connection(("${bare(host)}",${PORT}),2)'`,
      `python3 -c 'import urllib.request as u; u.urlopen("http://${plain(host)}:${PORT}/",timeout=2)'`,
      `python3 <<< 'import socket; socket.create_connection(("${bare(host)}",${PORT}),2)'`,
    ]),
  node: (host, random) =>
    pick(random, [
      `node -e 'require("net").connect(${PORT}, "${bare(host)}")'`,
      `node -e 'fetch("http://${plain(host)}:${PORT}/")'`,
    ]),
  perl: (host) =>
    `perl -e 'use IO::Socket::IP; IO::Socket::IP->new(PeerHost=>"${bare(host)}",PeerPort=>${PORT},Timeout=>2)'`,
  tclsh: (host) => `tclsh <<< 'socket ${bare(host)} ${PORT}'`,
  gdb: (host) => `gdb -batch -ex 'target remote ${plain(host)}:${PORT}'`,
  docker: (host) => `docker -H tcp://${quoted(host)}:${PORT} ps`,
  xargs: (host) => `echo http://${quoted(host)}:${PORT} | xargs curl -s -m 2`,
};

/** Quotes what the shell would expand. */
function quoted(host: string): string {
  return /[[\]{}]/.test(host) ? `'${plain(host)}'` : host;
}

const WRAPS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => text,
  (text) => `true && ${text}`,
  (text) => `( ${text} )`,
  (text) => `if true; then ${text}; fi`,
  (text) => `eval '${text.replaceAll("'", `'\\''`)}'`,
  (text) => `sh <<'E'\n${text}\nE`,
];

function wrapped(random: Random, text: string): string {
  const wrap = pick(random, WRAPS);
  return text.includes("<<<") || text.includes("/dev/tcp") ? text : wrap(text);
}

/** Code that builds the address from pieces. */
function builtByCode(address: string): string {
  const codes = Array.from(Buffer.from(address), (byte) => String(byte)).join(",");
  return `python3 -c 'import socket; socket.create_connection((bytes([${codes}]).decode(),${PORT}),2)'`;
}
