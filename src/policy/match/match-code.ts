import { resolve } from "node:path/posix";
import type { CommandKnowledge } from "../../shell/syntax/command-knowledge.ts";
import { baseName } from "../../shell/syntax/shell-arguments.ts";
import { CommandPart } from "./command-part.ts";
import { fold } from "../../util/text/fold.ts";
import { matchTokens, type CommandPattern } from "./match-command.ts";
import type { HostPattern } from "./match-host.ts";
import { PathView, type PathPattern } from "./match-path.ts";
import type { CommandView } from "./subject.ts";

const BARE = /^[\w./~=+@-]+$/;
/** Limits the cost of a hostile text. */
const MAX_WORDS = 20_000;
const MAX_PLACES = 100;
const MAX_HOSTS = 2000;
/** The number of words after a program's name that may be its arguments. */
const MAX_ARGUMENTS = 16;

/**
 * Returns true if code in a command contains the words of the pattern in sequence, whatever separates them:
 * `system("rm -rf x")`, `run(["rm", "-rf", "x"])`. A bare argument is not code: `make shutdown`. The code may start the
 * command; nothing more is known.
 */
export function namesCommand(
  { fact, parts }: CommandView,
  pattern: CommandPattern,
  knowledge: CommandKnowledge | undefined,
): boolean {
  const isNamed = (word: string): boolean => fold(baseName(word)) === pattern.program;
  const words = wordsOf(fact.text);
  const places = words.flatMap((word, index) => (isNamed(word) ? [index] : []));
  if (places.length === 0 || places.length <= bareWords(parts).filter(isNamed).length) return false;
  if (places.length > MAX_PLACES) return true;
  return places.some((index) => {
    const literal = words.slice(index, index + MAX_ARGUMENTS).map((text) => ({ text, literal: true }));
    const command = { words: literal, assignments: [], redirects: [], cwds: [], via: [] };
    return matchTokens(pattern, new CommandPart(command, knowledge)) !== "none";
  });
}

function bareWords(parts: readonly CommandPart[]): readonly string[] {
  return parts
    .flatMap(({ command }) => command.words.map(({ text }) => text))
    .filter((text) => BARE.test(text));
}

/** Returns true if a word of the command's text, resolved from its folder, is a path that matches. */
export function namesPath({ fact }: CommandView, pattern: PathPattern): boolean {
  return wordsOf(fact.text).some((word) =>
    pattern.matches(new PathView({ kind: "path", path: resolve(fact.cwd, word), access: "read" })),
  );
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\w./~=+@-]+/, MAX_WORDS).filter((word) => /[\w.]/.test(word));
}

const IN_ADDRESS = /[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@'"]*@)?(\[[^\]\s]*\]|[^\s/:?#'"\\()<>,;]+)/gi;
const AFTER_USER = /[\w.-]@([\w.-]+)/g;

/** Network programs, whose bare arguments may be hosts. */
const NETWORK_PROGRAMS: ReadonlySet<string> = new Set(
  "curl wget wget2 aria2c axel http https xh lynx w3m links elinks ssh autossh mosh scp sftp rsync nc ncat netcat socat telnet ftp lftp tftp ping ping6 traceroute dig nslookup host whois nmap openssl".split(
    " ",
  ),
);

/**
 * Returns true if a command names a host that matches and does more than print: in a URL, after a user name, or as an
 * argument of a network program. The host may be reached; hosts that a program reaches by itself are not detected.
 */
export function namesHost(
  { fact, parts, isReadOnly }: CommandView,
  pattern: HostPattern,
  knowledge: CommandKnowledge | undefined,
): boolean {
  if (isReadOnly || (parts.length > 0 && parts.every((part) => onlyPrints(part, knowledge)))) return false;
  const named = [...fact.text.matchAll(IN_ADDRESS), ...fact.text.matchAll(AFTER_USER)];
  const hosts = named.map(([, host = ""]) => host);
  if (parts.some(({ program = "" }) => NETWORK_PROGRAMS.has(program))) hosts.push(...bareNames(fact.text));
  return hosts.slice(0, MAX_HOSTS).some((host) => host !== "" && pattern(host));
}

/** Ignores redirects. */
function onlyPrints({ command }: CommandPart, knowledge: CommandKnowledge | undefined): boolean {
  return knowledge?.describe({ ...command, redirects: [] }).isReadOnly === true;
}

function bareNames(text: string): readonly string[] {
  return text.split(/[^\w.-]+/).filter((word) => /^\w/.test(word));
}
