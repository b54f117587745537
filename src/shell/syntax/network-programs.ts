import type { SimpleCommand, Word } from "../../core/command.ts";

const NETWORK_PROGRAMS: ReadonlySet<string> = new Set(
  (
    "curl curlie wget wget2 aria2c axel fetch http https httpie xh lynx w3m links elinks ssh slogin autossh mosh scp sftp rsync sshfs ssh-keyscan " +
    "ssh-copy-id rsh rlogin nc ncat netcat socat telnet ftp lftp tftp ping ping6 fping hping3 nping arping traceroute tracepath " +
    "mtr dig drill nslookup host whois nmap masscan openssl gnutls-cli rclone smbclient ldapsearch snmpwalk swaks grpcurl websocat " +
    "iperf iperf3 ab wrk hey siege redis-cli psql mysql mariadb mysqladmin mongo mongosh nats docker podman kubectl helm busybox"
  ).split(" "),
);

/** The subcommands of git that take a repository, which may be `host:path`, or a server. */
const GIT_REMOTE =
  /^(?:clone|fetch|pull|push|ls-remote|remote|archive|submodule|svn|p4|lfs|annex|cvsimport|send-email|imap-send|request-pull|daemon|(?:fetch|send|upload)-pack|http-(?:push|fetch)|remote-(?:https?|ftps?|ext))$/;

/** A variable that later commands may connect to; `set -a` exports all. */
const SETS_ADDRESS =
  /^(?:\w*(?:proxy|tape|url|uri|host|server|registry|mirror|endpoint|addr|index)\w*\+?=|[-+]\w*a|allexport)/i;

/** Other programs that have options or settings for hosts among many more, and the words that show one. */
const WITH_ADDRESSES: ReadonlyMap<string, RegExp> = new Map([
  ["git", /(?:insteadof|\.(?:push)?url|\.remote|pushdefault|proxy|server|host)(?:=|$)/i],
  ...["systemctl", "systemd-run"].map((name) => [name, /^(?:-[A-Za-z]*[HM]|--host|--mach)/] as const),
  ["sudo", /^(?:-[A-Za-z]*h|--host)/],
  // An archive may be `HOST:file`, for tar also in the variable TAPE.
  ...["tar", "gtar", "cpio"].map((name) => [name, /:/] as const),
  ...["export", "declare", "typeset", "set"].map((name) => [name, SETS_ADDRESS] as const),
  ..."aws az gcloud glab gpg gpg2 op doppler conda mamba micromamba parallel rush nvm volta asdf mise mount umount"
    .split(" ")
    .map((name) => [name, /^/] as const),
]);

/** The subcommands of go that take a module, whose path begins with a host; any does with a version: `go run a.com/x@v1`. */
const GO_REMOTE: ReadonlySet<string> = new Set(["get", "install", "mod"]);

/** Returns true if bare arguments of the program may be hosts. */
export function mayNameHosts(program: string | undefined, { words }: SimpleCommand): boolean {
  if (program === "git") return words.some(({ text }) => GIT_REMOTE.test(text));
  if (program === "go") return words.some(({ text }) => GO_REMOTE.has(text) || text.includes("@"));
  return NETWORK_PROGRAMS.has(program ?? "");
}

/** Returns true if a word may be a host as in code: `pip install -i HOST x`. Of a runner, `cargo build` and `go vet ./...` have none. */
export function mayHaveAddress(
  program: string | undefined,
  { words, assignments }: SimpleCommand,
  isRunner: boolean,
): boolean {
  const sign = WITH_ADDRESSES.get(program ?? "");
  if (sign !== undefined && [...words, ...assignments].some(({ text }) => sign.test(text))) return true;
  if (!isRunner) return false;
  const isMore = ({ text }: Word, at: number): boolean =>
    (at > 0 || /[=.:]/.test(text)) && !/^[./~]/.test(text);
  return assignments.length > 0 || words.slice(1).some(isMore);
}

/** Returns true if an argument of a network program may become any host: nothing is known of it but that it is expanded. */
export function isAnyHost({ text, literal }: Word): boolean {
  return !literal && (text === "" || /^(?:--?[\w-]+=)?[$`]/.test(text));
}

const ADDRESS_OPTION =
  /(?:-git|[-.=](?:url|uri|host|hostname|server|proxy|registry|mirror|endpoint|index|source|address))[ =][$`]/i;

/** Returns true if the value of an option or setting for an address is expanded, so that it may become any host. */
export function hasOpenAddress({ words }: SimpleCommand): boolean {
  return words.some(
    ({ text, literal }, at) => !literal && ADDRESS_OPTION.test(`${words[at - 1]?.text ?? ""} ${text}`),
  );
}
