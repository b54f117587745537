import { program, programs, RUNS_REST, usage } from "./lines.ts";
import type { Program, Start, Usage } from "./program.ts";

const REST: Start = { kind: "rest" };
const AFTER_ONE: Start = { kind: "rest", skip: 1 };
const RUNS_AFTER_ONE: Usage = { ...RUNS_REST, starts: [AFTER_ONE] };
/** Their own arguments are not in the tables. */
const ANYWHERE: Usage = { ...RUNS_REST, starts: [{ ...REST, isAnywhere: true }] };
const PRIVILEGED: Usage = { ...RUNS_REST, starts: [{ ...REST, shell: "alone" }], ungrantable: "privilege" };
const PRIVILEGED_ANYWHERE: Usage = {
  ...PRIVILEGED,
  starts: [{ ...REST, shell: "alone", isAnywhere: true }],
};
const RUN = usage("none", RUNS_REST);

/** Programs that start another program. */
export const starters = (): readonly Program[] => [
  // These only start the command, which is judged separately.
  ...programs(
    {
      "nice gnice": "none -n,--adjustment= -NUM",
      ionice: "none -c,--class= -n,--classdata= -t,--ignore ~ -p,--pid= -P,--pgid= -u,--uid=",
      "time gtime":
        "none -p,--portability -v,--verbose -f,--format= -q,--quiet -l -h > -o,--output=w -a,--append",
      "stdbuf gstdbuf": "none -i,--input= -o,--output= -e,--error=",
    },
    { ...RUNS_REST, readOnly: true },
  ),
  program(
    "timeout gtimeout",
    "none --preserve-status --foreground -k,--kill-after= -s,--signal= -v,--verbose -p -f",
    { ...RUNS_AFTER_ONE, readOnly: true },
  ),
  program("command", "none -p -v,-V", { ...RUNS_REST, readOnly: true, starts: [{ ...REST, notWith: "-v" }] }),
  program(
    "env genv",
    `none
    -i,--ignore-environment -0,--null -u,--unset= -v,--debug --block-signal=? --default-signal=?
    --ignore-signal=? --list-signal-handling -a,--argv0= --help --version
    ~ -C,--chdir=d -P=
    ! -S,--split-string=`,
    {
      ...RUNS_REST,
      readOnly: true,
      starts: [
        { kind: "split", flag: "-S" },
        { ...REST, hasAssignments: true, notWith: "-S" },
      ],
    },
  ),
  ...programs(
    {
      "nohup unbuffer chronic torsocks torify proxychains proxychains4 eatmydata winpty":
        "none -q -i -d -v -e -p --help --version ~ -f=r",
      setsid: "none -c,--ctty -f,--fork -w,--wait",
      "ifne zrun": "none -n",
      caffeinate: "none -d -i -m -s -u -t= -w=",
      rlwrap: "none -a -c -r -i -p=? -A ~ -f,--file=r -H,--history-filename=w",
      "dbus-run-session ts": "none -u -i -s -m -r ~ --config-file=r -l= -f=",
      "xvfb-run": `none
        -a,--auto-servernum -d -n,--server-num= -s,--server-args= -w,--wait=
        > -e,--error-file=w -f,--auth-file=w`,
      "busybox toybox": "none --list --help > --install=w?",
      dotenv: "none -o -c -q,--quiet ~ -e= -f,--file=r -v=",
      "strace ltrace dtruss uftrace": `none
        -a,--columns= -b,--detach-on= -c,--summary-only -C,--summary -d,--debug -D,--daemonize[=]
        -e,--trace,--expr= -f,--follow-forks --output-separately -h -i -k,--stack-traces -n -O=
        -p,--attach= -P= -q,--quiet[=] -r -s,--string-limit= -S= -t -T -u,--user= -v -V -w -x -X= -y -Z
        -A -F= -g -l= -L -N= -2
        ~ -E,--env=
        > -o,--output=w`,
      "valgrind heaptrack rr hyperfine": `none
        -q,--quiet -v,--verbose --tool= --leak-check= -w,--warmup= -r,--runs= -N -n=
        > --log-file=w --export-json=w`,
      numactl: `none
        -N,--cpunodebind= -m,--membind= -C,--physcpubind= -l,--localalloc -i,--interleave=
        -p,--preferred=`,
      "prlimit setpriv softlimit cpulimit cgexec": `none
        -c,--core=? -d,--data=? -n,--nofile=? -u,--nproc=? -t,--cpu=? -v,--as=? -g= --reuid= --regid=
        --clear-groups --init-groups --no-new-privs --inh-caps= --bounding-set= --ambient-caps= -l= -i
        -z -b`,
      exec: "none -c -l -a=",
      "builtin coproc noglob nocorrect": "none",
    },
    RUNS_REST,
  ),
  ...programs({ "tmux screen zellij dtach abduco gdbserver": "looks" }, ANYWHERE),
  program("fakeroot", "none -u -b= ~ -l,--lib= -f,--faked= -i=r -s=r", {
    ...RUNS_REST,
    starts: [{ ...REST, shell: "alone" }],
  }),
  ...programs(
    {
      flock: `none
        -e,-x,--exclusive -s,--shared -n,--nb,--nonblock -u,--unlock -w,--wait,--timeout= -o,--close
        -E,--conflict-exit-code= -F,--no-fork -v,--verbose
        ! -c,--command=x`,
      taskset: "none -a,--all-tasks -c,--cpu-list ~ -p,--pid",
      chrt: `none
        -b,--batch -d,--deadline -f,--fifo -i,--idle -o,--other -r,--rr -R,--reset-on-fork -T= -P= -D=
        -v -m`,
      "faketime datefudge": "none -m -f -p= --exclude-monotonic",
    },
    RUNS_AFTER_ONE,
  ),
  ...programs(
    {
      unshare: `none
        -i,--ipc[=] -m,--mount[=] -n,--net[=] -p,--pid[=] -u,--uts[=] -U,--user[=] -C,--cgroup[=]
        -T,--time[=] -f,--fork --keep-caps --kill-child=? --mount-proc=? --map-user= --map-users=
        --map-group= --map-groups= -r,--map-root-user -c,--map-current-user --map-auto --propagation=
        --setgroups= -S,--setuid= -G,--setgid= --monotonic= --boottime=
        ~ -R,--root=d -w,--wd=d`,
      pkexec: "none --user= --disable-internal-agent --keep-cwd",
      "systemd-run": `none
        --scope -u,--unit= -p,--property= --description= --slice= -r,--remain-after-exit --send-sighup
        --uid= --gid= --nice= -E,--setenv= -t,--pty -P,--pipe -q,--quiet --on-active= --on-boot=
        --on-calendar= --timer-property= --no-block --wait -G,--collect --user --system -S,--shell
        -H,--host= -M,--machine=
        ~ --working-directory=d -d,--same-dir`,
    },
    PRIVILEGED,
  ),
  ...programs(
    {
      "systemd-inhibit systemd-nspawn firejail proot bwrap launchctl osascript": "looks",
      "start-stop-daemon daemonize daemon dumb-init tini": "looks",
      "gosu su-exec s6-setuidgid chpst setuidgid envdir": "looks",
    },
    PRIVILEGED_ANYWHERE,
  ),
  // What follows `--` are arguments of a shell.
  program("capsh", "none", { ...PRIVILEGED, starts: [{ ...REST, shell: "always" }] }),
  program("chroot", "none --groups= --userspec= --skip-chdir", {
    ...PRIVILEGED,
    starts: [{ ...AFTER_ONE, isRemote: true, shell: "alone" }],
  }),
  program(
    "nsenter",
    `none
    -a,--all -t,--target= -m,--mount=r? -u,--uts=r? -i,--ipc=r? -n,--net=r? -p,--pid=r? -C,--cgroup=r?
    -U,--user=r? -T,--time=r? -S,--setuid=? -G,--setgid=? --preserve-credentials -F,--no-fork -e,--env
    ~ -r,--root=d? -w,--wd=d? -W,--wdns=`,
    { ...PRIVILEGED, starts: [{ ...REST, isRemote: true, shell: "alone" }] },
  ),
  program(
    "sudo doas pfexec dzdo",
    `none
    -A,--askpass -b,--background -B,--bell -C,--close-from= -E,--preserve-env[=] -g,--group=
    -H,--set-home -h,--host= -K,--remove-timestamp -k,--reset-timestamp -l,--list -N,--no-update
    -n,--non-interactive -P,--preserve-groups -p,--prompt= -r,--role= -S,--stdin -t,--type=
    -T,--command-timeout= -U,--other-user= -u,--user= -v,--validate -V,--version
    ~ -D,--chdir=d -R,--chroot=d -a= -L
    ! -i,--login -s,--shell -e,--edit`,
    {
      ...PRIVILEGED,
      starts: [
        { ...REST, hasAssignments: true },
        { kind: "joined", onlyWith: "-i", shell: "alone" },
        { kind: "joined", onlyWith: "-s", shell: "alone" },
      ],
    },
  ),
  program(
    "su runuser",
    `none
    -f,--fast -g,--group= -G,--supp-group= -l,--login -m,-p,--preserve-environment -P,--pty
    -w,--whitelist-environment=
    ! -c,--command=x -s,--shell=x --session-command=x -u,--user=`,
    {
      starts: [
        { ...REST, onlyWith: "-u" },
        // What follows the user are arguments of the user's shell.
        { ...AFTER_ONE, notWith: "-c --session-command -u", shell: "always" },
      ],
      ungrantable: "privilege",
    },
  ),
  ...programs(
    {
      "setarch linux32 linux64 i386 x86_64":
        "none -R,--addr-no-randomize -v,--verbose -3,--3gb --4gb -B,--32bit -F -I -L -S -T -X -Z --list --uname-2.6",
    },
    { ...RUNS_REST, starts: [{ ...REST, isAnywhere: true, shell: "alone" }] },
  ),
  program("arch", "none -x86_64 -arm64 -arm64e -i386 -e=", { ...RUNS_REST, hasWordFlags: true }),
  program("gdb lldb", "looks -q -batch ! -ex=x -x=r --args -iex=x", {
    hasWordFlags: true,
    starts: [{ ...REST, onlyWith: "--args" }],
    ungrantable: "interpreter",
  }),
  ...programs(
    { "at batch": "none -l -q= -m -t= -v -M > -d -r ! -f=r", crontab: "script -l -u= -i > -r ! -e" },
    { ungrantable: "wrapper" },
  ),
  ...programs(
    {
      "pee mispipe": "none",
      "concurrently npm-run-all run-p run-s":
        "none -k,--kill-others -n,--names= -c,--prefix-colors= --raw -r -g,--group",
    },
    { starts: [{ kind: "each" }], ungrantable: "wrapper" },
  ),
  program(
    "xargs gxargs",
    `none
    -0,--null -d,--delimiter= -E= -e,--eof=? -I= -i,--replace=? -J= -L,--max-lines= -l=? -n,--max-args=
    -P,--max-procs= -p,--interactive -r,--no-run-if-empty -R= -S= -s,--max-chars= -t,--verbose -x,--exit
    -o,--open-tty --show-limits --process-slot-var=
    ~ -a,--arg-file=r`,
    { ...RUNS_REST, starts: [{ ...REST, hasUnknownWords: true }] },
  ),
  program(
    "parallel rush",
    `none
    -j,--jobs,-P= -k,--keep-order -n,--max-args= -N= -0,--null -d,--delimiter= -I= --bar --eta --dry-run
    --halt= -q,--quote -r,--no-run-if-empty -t,--verbose --colsep,-C= -X -m --ungroup,-u
    --line-buffer,--lb --tag --timeout= --retries= --delay= --pipe --will-cite --progress --joblog=w
    --results=w
    ~ -a,--arg-file=r --workdir,--wd=d -S,--sshlogin=`,
    {
      ...RUNS_REST,
      // Without a command it runs the lines of its input.
      starts: [{ kind: "joined", shell: "alone" }, { ...REST, hasUnknownWords: true }, { kind: "each" }],
    },
  ),
  program(
    "watch viddy",
    `none
    -b,--beep -c,--color -C,--no-color -d,--differences[=] -e,--errexit -g,--chgexit -n,--interval=
    -p,--precise -q,--equexit= -r,--no-rerun -t,--no-title -w,--no-wrap -x,--exec`,
    {
      ...RUNS_REST,
      starts: [
        { kind: "joined", notWith: "-x" },
        { ...REST, onlyWith: "-x" },
      ],
    },
  ),
  program("entr", "none -a -c -d -n -p -r -x -z ! -s", {
    ...RUNS_REST,
    starts: [
      { ...REST, notWith: "-s", hasUnknownWords: true },
      { kind: "joined", onlyWith: "-s" },
    ],
  }),
  program(
    "script unscript",
    `write
    -a,--append -e,--return -f,--flush -q,--quiet -E,--echo= -T,--log-timing=w -I,--log-in=w
    -O,--log-out=w -B,--log-io=w
    ! -c,--command=x`,
    { starts: [{ ...AFTER_ONE, notWith: "-c", shell: "alone" }], ungrantable: "wrapper" },
  ),
  program("cross-env cross-env-shell env-cmd", "none -e= ~ -f,--file=r", {
    ...RUNS_REST,
    starts: [{ ...REST, hasAssignments: true }],
  }),
  program("op doppler volta conda mamba micromamba", "looks", { subcommands: { run: RUN } }),
  program("mise asdf rbenv pyenv", "looks", { subcommands: { "exec x": RUN } }),
  program("direnv aws-vault nvm", "looks", {
    subcommands: { "exec run": usage("none", { ...RUNS_REST, starts: [{ ...AFTER_ONE, shell: "fed" }] }) },
  }),
  program("dotenvx", "looks", {
    subcommands: { run: usage("none ~ -f,--env-file=r -e,--env= --env-vault-file=r", RUNS_REST) },
  }),
  program("ip", "none", {
    subcommands: { "netns vrf": usage("none", { ...RUNS_REST, starts: [{ kind: "rest", skip: 2 }] }) },
  }),
  program("perf", "looks", {
    subcommands: {
      "stat record trace": RUN,
      "sched lock mem c2c kvm kwork ftrace iostat timechart top bench": usage("none", ANYWHERE),
    },
  }),
];
