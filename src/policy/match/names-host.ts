import type { CommandKnowledge } from "../../shell/command-knowledge.ts";
import type { CommandPart } from "./command-part.ts";
import type { HostPattern } from "./match-host.ts";
import type { CommandView } from "./subject.ts";

/** Beyond these nobody looks: a text could else be made to cost much. */
const MAX_NAMES = 2000;
const IN_ADDRESS = /[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@'"]*@)?(\[[^\]\s]*\]|[^\s/:?#'"\\()<>,;]+)/gi;
const BEHIND_USER = /[\w.-]@([\w.-]+)/g;

/** Programs whose bare words may be hosts. */
const DIALS: ReadonlySet<string> = new Set(
  "curl wget wget2 aria2c axel http https xh lynx w3m links elinks ssh autossh mosh scp sftp rsync nc ncat netcat socat telnet ftp lftp tftp ping ping6 traceroute dig nslookup host whois nmap openssl".split(
    " ",
  ),
);

/**
 * True where a command names a host that matches, and does more than print: in an address, behind a user's name, or as
 * a word of a program that dials. It says that the host may be reached, no more: which hosts a program reaches by itself
 * is not seen.
 */
export function namesHost(
  { fact, parts, isReadOnly }: CommandView,
  pattern: HostPattern,
  knowledge: CommandKnowledge | undefined,
): boolean {
  if (isReadOnly || (parts.length > 0 && parts.every((part) => onlyPrints(part, knowledge)))) return false;
  const named = [...fact.text.matchAll(IN_ADDRESS), ...fact.text.matchAll(BEHIND_USER)];
  const hosts = named.map(([, host = ""]) => host);
  if (parts.some(({ program = "" }) => DIALS.has(program))) hosts.push(...wordsOf(fact.text));
  return hosts.slice(0, MAX_NAMES).some((host) => host !== "" && pattern(host));
}

/** Whatever its output is kept in. */
function onlyPrints({ command }: CommandPart, knowledge: CommandKnowledge | undefined): boolean {
  return knowledge?.describe({ ...command, redirects: [] }).isReadOnly === true;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\w.-]+/).filter((word) => /^\w/.test(word));
}
