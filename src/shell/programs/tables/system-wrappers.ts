import type { Program } from "./program.ts";
import { RUNS_AFTER_ONE, RUNS_REST } from "./runs-rest.ts";

/** Wrappers that change the privileges, environment or tracing of the started program. */
export const SYSTEM_WRAPPERS: readonly Program[] = [
  {
    names: "chroot",
    flags: { safe: "--groups= --userspec= --skip-chdir" },
    operands: "none",
    stopsAtOperand: true,
    starts: [{ kind: "rest", skip: 1, isRemote: true }],
    ungrantable: "privilege",
  },
  {
    names: "unshare",
    flags: {
      safe: "-i,--ipc[=] -m,--mount[=] -n,--net[=] -p,--pid[=] -u,--uts[=] -U,--user[=] -C,--cgroup[=] -T,--time[=] -f,--fork --keep-caps --kill-child=? --mount-proc=? --map-user= --map-users= --map-group= --map-groups= -r,--map-root-user -c,--map-current-user --map-auto --propagation= --setgroups= -S,--setuid= -G,--setgid= --monotonic= --boottime=",
      opaque: "-R,--root=d -w,--wd=d",
    },
    operands: "none",
    stopsAtOperand: true,
    starts: [{ kind: "rest" }],
    ungrantable: "privilege",
  },
  {
    names: "nsenter",
    flags: {
      safe: "-a,--all -t,--target= -m,--mount=r? -u,--uts=r? -i,--ipc=r? -n,--net=r? -p,--pid=r? -C,--cgroup=r? -U,--user=r? -T,--time=r? -S,--setuid=? -G,--setgid=? --preserve-credentials -F,--no-fork -e,--env",
      opaque: "-r,--root=d? -w,--wd=d? -W,--wdns=",
    },
    operands: "none",
    stopsAtOperand: true,
    starts: [{ kind: "rest", isRemote: true }],
    ungrantable: "privilege",
  },
  {
    ...RUNS_REST,
    names: "strace ltrace dtruss uftrace",
    flags: {
      safe: "-a,--columns= -b,--detach-on= -c,--summary-only -C,--summary -d,--debug -D,--daemonize[=] -e,--trace,--expr= -f,--follow-forks --output-separately -h -i -k,--stack-traces -n -O= -p,--attach= -P= -q,--quiet[=] -r -s,--string-limit= -S= -t -T -u,--user= -v -V -w -x -X= -y -Z -A -F= -g -l= -L -N= -2",
      opaque: "-E,--env=",
      writes: "-o,--output=w",
    },
  },
  {
    ...RUNS_REST,
    names: "valgrind gdbserver heaptrack rr hyperfine",
    flags: {
      safe: "-q,--quiet -v,--verbose --tool= --leak-check= -w,--warmup= -r,--runs= -N -n=",
      writes: "--log-file=w --export-json=w",
    },
  },
  {
    ...RUNS_AFTER_ONE,
    names: "taskset",
    flags: { safe: "-a,--all-tasks -c,--cpu-list", opaque: "-p,--pid" },
  },
  {
    ...RUNS_AFTER_ONE,
    names: "chrt",
    flags: {
      safe: "-b,--batch -d,--deadline -f,--fifo -i,--idle -o,--other -r,--rr -R,--reset-on-fork -T= -P= -D= -v -m",
    },
  },
  { ...RUNS_AFTER_ONE, names: "faketime datefudge", flags: { safe: "-m -f -p= --exclude-monotonic" } },
  {
    ...RUNS_REST,
    names: "numactl",
    flags: {
      safe: "-N,--cpunodebind= -m,--membind= -C,--physcpubind= -l,--localalloc -i,--interleave= -p,--preferred=",
    },
  },
  {
    ...RUNS_REST,
    names: "prlimit setpriv softlimit cpulimit cgexec",
    flags: {
      safe: "-c,--core=? -d,--data=? -n,--nofile=? -u,--nproc=? -t,--cpu=? -v,--as=? -g= --reuid= --regid= --clear-groups --init-groups --no-new-privs --inh-caps= --bounding-set= --ambient-caps= -l= -i -z -b",
    },
  },
  {
    ...RUNS_REST,
    names: "setarch linux32 linux64 arch",
    flags: {
      safe: "-R,--addr-no-randomize -v,--verbose -x86_64 -arm64 -arm64e -i386 -3 -B -F -I -L -S -T -X -Z -e=",
    },
    hasWordFlags: true,
  },
  {
    names: "pkexec",
    flags: { safe: "--user= --disable-internal-agent --keep-cwd" },
    operands: "none",
    stopsAtOperand: true,
    starts: [{ kind: "rest" }],
    ungrantable: "privilege",
  },
  {
    names: "systemd-run",
    flags: {
      safe: "--scope -u,--unit= -p,--property= --description= --slice= -r,--remain-after-exit --send-sighup --uid= --gid= --nice= -E,--setenv= -t,--pty -P,--pipe -q,--quiet --on-active= --on-boot= --on-calendar= --timer-property= --no-block --wait -G,--collect --user --system -S,--shell -H,--host= -M,--machine=",
      opaque: "--working-directory=d -d,--same-dir",
    },
    operands: "none",
    stopsAtOperand: true,
    starts: [{ kind: "rest" }],
    ungrantable: "privilege",
  },
  {
    names:
      "systemd-inhibit systemd-nspawn firejail proot bwrap capsh start-stop-daemon daemonize daemon dumb-init tini gosu su-exec s6-setuidgid chpst setuidgid envdir launchctl osascript",
    operands: "looks",
    stopsAtOperand: true,
    starts: [{ kind: "rest" }],
    ungrantable: "privilege",
  },
  {
    names: "gdb lldb",
    flags: { safe: "-q -batch", executes: "-ex=x -x=r --args -iex=x" },
    hasWordFlags: true,
    operands: "looks",
    starts: [{ kind: "rest", onlyWith: "--args" }],
    ungrantable: "interpreter",
  },
  {
    names: "tmux screen zellij dtach abduco",
    operands: "looks",
    stopsAtOperand: true,
    starts: [{ kind: "rest" }],
    ungrantable: "wrapper",
  },
  {
    names: "at batch",
    flags: { safe: "-l -q= -m -t= -v -M", executes: "-f=r", writes: "-d -r" },
    operands: "none",
    ungrantable: "wrapper",
  },
  {
    names: "crontab",
    flags: { safe: "-l -u= -i", writes: "-r", executes: "-e" },
    operands: "script",
    ungrantable: "wrapper",
  },
];
