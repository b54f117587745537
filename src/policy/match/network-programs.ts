import type { SimpleCommand, Word } from "../../core/command.ts";

const NETWORK_PROGRAMS: ReadonlySet<string> = new Set(
  (
    "curl curlie wget wget2 aria2c axel http https xh lynx w3m links elinks ssh autossh mosh scp sftp rsync sshfs ssh-keyscan " +
    "ssh-copy-id rsh rlogin nc ncat netcat socat telnet ftp lftp tftp ping ping6 fping hping3 nping arping traceroute tracepath " +
    "mtr dig drill nslookup host whois nmap masscan openssl gnutls-cli rclone smbclient ldapsearch snmpwalk swaks grpcurl websocat " +
    "iperf iperf3 ab wrk hey siege redis-cli psql mysql mariadb mysqladmin mongo mongosh nats docker podman kubectl helm busybox"
  ).split(" "),
);

/** The subcommands of git that take a repository, which may be `host:path`. */
const GIT_REMOTE: ReadonlySet<string> = new Set(
  "clone fetch pull push ls-remote remote archive submodule".split(" "),
);

/** The subcommands of go that take a module, whose path begins with a host; any does with a version: `go run a.com/x@v1`. */
const GO_REMOTE: ReadonlySet<string> = new Set(["get", "install", "mod"]);

/** Returns true if bare arguments of the program may be hosts. */
export function mayNameHosts(program: string | undefined, { words }: SimpleCommand): boolean {
  if (program === "git") return words.some(({ text }) => GIT_REMOTE.has(text));
  if (program === "go") return words.some(({ text }) => GO_REMOTE.has(text) || text.includes("@"));
  return NETWORK_PROGRAMS.has(program ?? "");
}

/** Returns true if an argument of a network program may become any host: nothing is known of it but that it is expanded. */
export function isAnyHost({ text, literal }: Word): boolean {
  return !literal && (text === "" || /^[$`]/.test(text));
}
