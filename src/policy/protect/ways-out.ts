import type { Job } from "../../core/job.ts";
import { isObject } from "../../core/json.ts";
import type { CommandPart } from "../match/command-part.ts";
import type { CommandView } from "../match/command-view.ts";
import type { Subject } from "../match/subject.ts";

/** Returns how a call can carry data out of this machine, as text for people: `curl can send data`; undefined if it cannot, as far as is known. */
export function wayOut(subject: Subject): string | undefined {
  const { job, hosts, commands, isMcp } = subject;
  const [host] = hosts;
  // Of low risk are looking at the page that is open, and reading from hosts that the user's settings trust.
  const isLow = job.risk === "low";
  if (host !== undefined && !isLow) return `it sends a request to ${host}`;
  if (isMcp && !isLow && !isClosed(job)) return `${job.tool.name} can send data`;
  for (const view of commands) {
    const program = networkProgram(view) ?? codeThatMaySend(view);
    if (program !== undefined) return `${program} can send data`;
  }
  return undefined;
}

/** Returns the first program of a command that uses the network, as text for people. A command that is proven to read has none. */
export function networkProgram(view: CommandView): string | undefined {
  if (view.isReadOnly) return undefined;
  const part = view.parts.find(usesNetwork);
  return part === undefined ? undefined : (part.program ?? "a program with an unknown name");
}

/** The server says that the tool reaches nothing else, or that it only reads and does not say that it reaches more. */
function isClosed({ tool, facts }: Job): boolean {
  const { annotations } = tool.listed ?? {};
  if (!tool.source.startsWith("mcp:") || facts.length > 1 || !isObject(annotations)) return false;
  const { openWorldHint: isOpen, readOnlyHint: isReadOnly } = annotations;
  return isOpen === false || (isReadOnly === true && isOpen !== true);
}

/** Programs that reach other machines, besides those whose bare arguments are hosts. */
const NETWORK: ReadonlySet<string> = new Set(
  (
    "gh glab hub aws gcloud gsutil bq az doctl heroku vercel netlify fly flyctl wrangler firebase supabase ansible ansible-playbook oc s3cmd s5cmd s4cmd mc restic " +
    "borg mail mailx mutt neomutt sendmail msmtp svn getent resolvectl delv wscat mosquitto_pub nfs-ls gpg-wks-client yt-dlp youtube-dl croc magic-wormhole wormhole " +
    "ngrok cloudflared tailscale scamper snmpget ntpdate finger gftp hg twine xdg-open"
  ).split(" "),
);

/** Programs of which these subcommands reach other machines. */
const SUBCOMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    git: "push fetch pull clone ls-remote remote submodule send-email imap-send request-pull svn lfs p4 http-push http-fetch send-pack fetch-pack daemon archive maintenance",
    "npm pnpm yarn bun":
      "publish install i add view v info show search exec x dlx create init audit login adduser token access dist-tag deprecate unpublish owner star ping pack up update upgrade",
    "npx pnpx bunx uvx pipx": "",
    "pip pip3 uv poetry conda mamba":
      "install download search index add publish publish-test run tool pip lock sync upload update create",
    "cargo gem composer mvn dotnet go":
      "publish install add search push owner login yank fetch update get require deploy nuget mod",
    nerdctl: "push pull login run build search create exec compose buildx",
    "terraform tofu pulumi": "apply init plan refresh import up login",
    "apt apt-get yum dnf apk brew pacman snap": "install update upgrade download add search tap",
  }).flatMap(([programs, words]) =>
    programs.split(" ").map((name) => [name, new Set(words.split(" ").filter((one) => one !== ""))] as const),
  ),
);

function usesNetwork(part: CommandPart): boolean {
  const { program, command, isBlind } = part;
  if (program === undefined) return isBlind;
  if (part.usesNetwork || NETWORK.has(program)) return true;
  const words = command.words.slice(1);
  const subcommands = SUBCOMMANDS.get(program);
  if (subcommands === undefined) return words.some(({ text }) => text.includes("://")) && !part.isKnown;
  if (subcommands.size === 0) return true;
  // An option may take the value that looks like a subcommand; asking once too often is no harm.
  return words.some(({ text, literal }) => !literal || subcommands.has(text));
}

/** Languages that can open a connection in one line, which no table of programs sees. */
const LANGUAGES =
  /^(?:python|pypy|ipython|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|irb|php|lua|luajit|tclsh|expect|rscript|julia|osascript|powershell|pwsh|jshell|groovy)[\d.]*$/;
/** What code names that may reach another machine, or start a program that does. */
const NETWORK_WORDS =
  /:\/\/|\/inet|\/dev\/(?:tcp|udp)|\b(?:curl|wget|nc|ncat|netcat|socat|telnet|ssh|scp|sftp|rsync|dig|nslookup|ping|git\s+push|gh|system|getline|popen|exec|eval)\b/i;

/** Returns the program that runs code which the call itself has, if the code may send something. */
function codeThatMaySend(view: CommandView): string | undefined {
  if (view.isReadOnly) return undefined;
  const { text } = view.fact;
  for (const { program, runsCode, command } of view.parts) {
    if (program === undefined || !runsCode) continue;
    const words = command.words.slice(1).map(({ text: word }) => word);
    const isInline =
      command.input !== undefined || words.length === 0 || words.some((word) => HAS_CODE.test(word));
    if (LANGUAGES.test(program) ? isInline : NETWORK_WORDS.test(text)) return program;
  }
  return undefined;
}

/** An option or a subcommand with code, or an option with a module to run or to load first. */
const HAS_CODE = /^-[A-Za-z\d]*[cCeEpmMrR]|^--(?:eval|print|command|import|require|loader)|^eval$/;
