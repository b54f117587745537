import type { Program, Usage } from "./program.ts";
import { ONLY_RUNS_REST, RUNS_AFTER_ONE, RUNS_REST } from "./runs-rest.ts";

const RUNS_AFTER_TWO: Usage = { ...RUNS_REST, starts: [{ kind: "rest", skip: 2 }] };

/** Programs that start another program. */
export const WRAPPERS: readonly Program[] = [
  {
    names: "env genv",
    flags: {
      safe: "-i,--ignore-environment -0,--null -u,--unset= -v,--debug --block-signal=? --default-signal=? --ignore-signal=? --list-signal-handling -a,--argv0= --help --version",
      opaque: "-C,--chdir=d -P=",
      executes: "-S,--split-string=",
    },
    operands: "none",
    stopsAtOperand: true,
    starts: [
      { kind: "split", flag: "-S" },
      { kind: "rest", hasAssignments: true, notWith: "-S" },
    ],
    readOnly: true,
    ungrantable: "wrapper",
  },
  {
    ...RUNS_AFTER_ONE,
    readOnly: true,
    names: "timeout gtimeout",
    flags: { safe: "--preserve-status --foreground -k,--kill-after= -s,--signal= -v,--verbose -p -f" },
  },
  {
    ...ONLY_RUNS_REST,
    names: "nice gnice",
    flags: { safe: "-n,--adjustment= -NUM" },
  },
  {
    ...ONLY_RUNS_REST,
    names: "ionice",
    flags: { safe: "-c,--class= -n,--classdata= -t,--ignore", opaque: "-p,--pid= -P,--pgid= -u,--uid=" },
  },
  {
    ...ONLY_RUNS_REST,
    names: "time gtime",
    flags: {
      safe: "-p,--portability -v,--verbose -f,--format= -q,--quiet -l -h",
      writes: "-o,--output=w -a,--append",
    },
  },
  {
    ...ONLY_RUNS_REST,
    names: "stdbuf gstdbuf",
    flags: { safe: "-i,--input= -o,--output= -e,--error=" },
  },
  {
    ...RUNS_REST,
    names: "nohup unbuffer chronic torsocks torify proxychains proxychains4 eatmydata winpty",
    flags: { safe: "-q -i -d -v -e -p --help --version", opaque: "-f=r" },
  },
  { ...RUNS_REST, names: "setsid", flags: { safe: "-c,--ctty -f,--fork -w,--wait" } },
  { ...RUNS_REST, names: "ifne zrun", flags: { safe: "-n" } },
  { names: "pee mispipe", operands: "none", starts: [{ kind: "each" }], ungrantable: "wrapper" },
  { ...RUNS_REST, names: "caffeinate", flags: { safe: "-d -i -m -s -u -t= -w=" } },
  {
    ...RUNS_REST,
    names: "rlwrap",
    flags: { safe: "-a -c -r -i -p=? -A", opaque: "-f,--file=r -H,--history-filename=w" },
  },
  {
    ...RUNS_REST,
    names: "dbus-run-session fakeroot ts",
    flags: { safe: "-u -i -s -m -r", opaque: "--config-file=r -l= -f=" },
  },
  {
    ...RUNS_REST,
    names: "xvfb-run",
    flags: {
      safe: "-a,--auto-servernum -d -n,--server-num= -s,--server-args= -w,--wait=",
      writes: "-e,--error-file=w -f,--auth-file=w",
    },
  },
  {
    names: "sudo doas pfexec dzdo",
    flags: {
      safe: "-A,--askpass -b,--background -B,--bell -C,--close-from= -E,--preserve-env[=] -g,--group= -H,--set-home -h,--host= -K,--remove-timestamp -k,--reset-timestamp -l,--list -N,--no-update -n,--non-interactive -P,--preserve-groups -p,--prompt= -r,--role= -S,--stdin -t,--type= -T,--command-timeout= -U,--other-user= -u,--user= -v,--validate -V,--version",
      opaque: "-D,--chdir=d -R,--chroot=d -a= -L",
      executes: "-i,--login -s,--shell -e,--edit",
    },
    operands: "none",
    stopsAtOperand: true,
    starts: [
      { kind: "rest", hasAssignments: true },
      { kind: "joined", onlyWith: "-i" },
      { kind: "joined", onlyWith: "-s" },
    ],
    ungrantable: "privilege",
  },
  {
    names: "su runuser",
    flags: {
      safe: "-f,--fast -g,--group= -G,--supp-group= -l,--login -m,-p,--preserve-environment -P,--pty -w,--whitelist-environment=",
      executes: "-c,--command=x -s,--shell=x --session-command=x -u,--user=",
    },
    operands: "none",
    starts: [{ kind: "rest", onlyWith: "-u" }],
    ungrantable: "privilege",
  },
  {
    names: "xargs gxargs",
    flags: {
      safe: "-0,--null -d,--delimiter= -E= -e,--eof=? -I= -i,--replace=? -J= -L,--max-lines= -l=? -n,--max-args= -P,--max-procs= -p,--interactive -r,--no-run-if-empty -R= -S= -s,--max-chars= -t,--verbose -x,--exit -o,--open-tty --show-limits --process-slot-var=",
      opaque: "-a,--arg-file=r",
    },
    operands: "none",
    stopsAtOperand: true,
    starts: [{ kind: "rest", hasUnknownWords: true }],
    ungrantable: "wrapper",
  },
  {
    names: "parallel rush",
    flags: {
      safe: "-j,--jobs,-P= -k,--keep-order -n,--max-args= -N= -0,--null -d,--delimiter= -I= --bar --eta --dry-run --halt= -q,--quote -r,--no-run-if-empty -t,--verbose --colsep,-C= -X -m --ungroup,-u --line-buffer,--lb --tag --timeout= --retries= --delay= --pipe --will-cite --progress --joblog=w --results=w",
      opaque: "-a,--arg-file=r --workdir,--wd=d -S,--sshlogin=",
    },
    operands: "none",
    stopsAtOperand: true,
    starts: [{ kind: "joined" }, { kind: "rest", hasUnknownWords: true }, { kind: "each" }],
    ungrantable: "wrapper",
  },
  {
    names: "watch viddy",
    flags: {
      safe: "-b,--beep -c,--color -C,--no-color -d,--differences[=] -e,--errexit -g,--chgexit -n,--interval= -p,--precise -q,--equexit= -r,--no-rerun -t,--no-title -w,--no-wrap -x,--exec",
    },
    operands: "none",
    stopsAtOperand: true,
    starts: [
      { kind: "joined", notWith: "-x" },
      { kind: "rest", onlyWith: "-x" },
    ],
    ungrantable: "wrapper",
  },
  {
    ...RUNS_AFTER_ONE,
    names: "flock",
    flags: {
      safe: "-e,-x,--exclusive -s,--shared -n,--nb,--nonblock -u,--unlock -w,--wait,--timeout= -o,--close -E,--conflict-exit-code= -F,--no-fork -v,--verbose",
      executes: "-c,--command=x",
    },
  },
  {
    names: "entr",
    flags: { safe: "-a -c -d -n -p -r -x -z", executes: "-s" },
    operands: "none",
    stopsAtOperand: true,
    starts: [
      { kind: "rest", notWith: "-s", hasUnknownWords: true },
      { kind: "joined", onlyWith: "-s" },
    ],
    ungrantable: "wrapper",
  },
  {
    names: "script unscript",
    flags: {
      safe: "-a,--append -e,--return -f,--flush -q,--quiet -E,--echo= -T,--log-timing=w -I,--log-in=w -O,--log-out=w -B,--log-io=w",
      executes: "-c,--command=x",
    },
    operands: "write",
    starts: [{ kind: "rest", skip: 1 }],
    ungrantable: "wrapper",
  },
  {
    ...RUNS_REST,
    names: "busybox toybox",
    flags: { safe: "--list --help", writes: "--install=w?" },
  },
  {
    names: "cross-env cross-env-shell env-cmd",
    flags: { safe: "-e=", opaque: "-f,--file=r" },
    operands: "none",
    stopsAtOperand: true,
    starts: [{ kind: "rest", hasAssignments: true }],
    ungrantable: "wrapper",
  },
  {
    names: "concurrently npm-run-all run-p run-s",
    flags: { safe: "-k,--kill-others -n,--names= -c,--prefix-colors= --raw -r -g,--group" },
    operands: "none",
    starts: [{ kind: "each" }],
    ungrantable: "wrapper",
  },
  {
    names: "op doppler volta conda mamba micromamba",
    operands: "looks",
    subcommands: { run: RUNS_REST },
  },
  { names: "mise asdf rbenv pyenv", operands: "looks", subcommands: { "exec x": RUNS_REST } },
  { names: "direnv aws-vault nvm", operands: "looks", subcommands: { "exec run": RUNS_AFTER_ONE } },
  { ...RUNS_REST, names: "dotenv", flags: { safe: "-o -c -q,--quiet", opaque: "-e= -f,--file=r -v=" } },
  {
    names: "dotenvx",
    operands: "looks",
    subcommands: { run: { ...RUNS_REST, flags: { opaque: "-f,--env-file=r -e,--env= --env-vault-file=r" } } },
  },
  { names: "ip", operands: "none", subcommands: { "netns vrf": RUNS_AFTER_TWO } },
  { names: "perf", operands: "looks", subcommands: { "stat record trace": RUNS_REST } },
];
