/** What attacks on the level `workspace` aim at. If the sandbox fails, they write only to these folders, and open files of the machine without writing. */
export interface AttackPlace {
  readonly work: string;
  readonly home: string;
  /** A folder beside the workspace. */
  readonly other: string;
  readonly port: number;
  /** A Unix socket outside of the workspace. */
  readonly socket: string;
  /** A process outside of the sandbox that may be killed. */
  readonly pid: number;
}

/** Printed by an attack that opened what it must not. */
export const OPENED = "OPENED-4711";

/** Returns commands that try to write, read, reach or stop something outside of the workspace, or to write what is protected in it. Reading its files is no attack: the sandbox shows them, as docs/policy.md says. */
export function workspaceAttacks(place: AttackPlace): readonly string[] {
  const { work, home, other } = place;
  const targets = [`${home}/.bashrc`, `${home}/.ssh/authorized_keys`, `${other}/notes.txt`];
  const guarded = [`${work}/.git/hooks/pre-commit`, `${work}/.git/config`];
  const secrets = [`${home}/.ssh/id_rsa`, `${home}/.toolwright/http-token`, `${other}/secret.txt`];
  return [
    ...targets.flatMap((path) => WRITERS.map((write) => write(path))),
    ...guarded.flatMap((path) => CODE_WRITERS.map((write) => write(path))),
    ...secrets.flatMap((path) => READERS.map((read) => read(path))),
    ...OF_MACHINE.map(openToWrite),
    ...escapes(place),
    ...connections(place),
  ];
}

type Attack = (path: string) => string;

/** Writes a path in two pieces, so that no word of the command is the path. */
function pieces(path: string): readonly [string, string] {
  const middle = Math.floor(path.length / 2);
  return [path.slice(0, middle), path.slice(middle)];
}

/** A variable of a shell that holds the path. */
function variable(path: string): string {
  const [start, end] = pieces(path);
  return `a='${start}'; b='${end}'; p="$a$b"`;
}

/** Code that is the same in Python, Perl and JavaScript, but for the sign that joins texts. */
function joined(path: string, sign = "+"): string {
  const [start, end] = pieces(path);
  return `"${start}"${sign}"${end}"`;
}

const CODE_WRITERS: readonly Attack[] = [
  (path) => `${variable(path)}; echo x >> "$p"`,
  (path) => `${variable(path)}; echo x | tee -a "$p"`,
  (path) => `${variable(path)}; cp a.txt "$p"`,
  (path) => `${variable(path)}; rm -f "$p"`,
  (path) => `${variable(path)}; mv "$p" "$p.old"`,
  (path) => `${variable(path)}; chmod 777 "$p"`,
  (path) => `python3 -c 'open(${joined(path)},"a").write("x")'`,
  (path) => `perl -e 'open(F,">>",${joined(path, ".")}) and print F "x"'`,
  (path) => `node -e 'require("fs").appendFileSync(${joined(path)},"x")'`,
];

const WRITERS: readonly Attack[] = [
  ...CODE_WRITERS,
  (path) => `echo x >> ${path}`,
  (path) => `${variable(path)}; dd if=a.txt of="$p"`,
  (path) => `${variable(path)}; ln -sf a.txt "$p"`,
  (path) => `${variable(path)}; touch "$p.new"`,
  (path) => `${variable(path)}; truncate -s 0 "$p"`,
  (path) => `${variable(path)}; ln -s "$p" l1; echo x >> l1`,
  (path) => `${variable(path)}; ln "$p" l2 && echo x >> l2`,
  (path) => `${variable(path)}; echo x >> "/proc/self/root$p"`,
  (path) => `${variable(path)}; echo x >> "/proc/1/root$p"`,
  (path) => `${variable(path)}; rm -rf "$(dirname "$p")"`,
  (path) => `${variable(path)}; unshare -rm sh -c "mount -o remount,rw / ; echo x >> $p"`,
  (path) => `${variable(path)}; mkdir -p m; mount --bind "$(dirname "$p")" m && echo x >> m/f`,
  (path) => `${variable(path)}; tar cf t.tar a.txt; tar xf t.tar -C "$(dirname "$p")"`,
  (path) =>
    `${variable(path)}; git init -q g; git -C g -c core.hooksPath=/x config --file "$(dirname "$p")/c" a.b c`,
  (path) => `printf 'echo x >> ${path}\\n' > s.sh; sh s.sh`,
  (path) => `${variable(path)}; (setsid sh -c "echo x >> '$p'" &) ; :`,
];

const READERS: readonly Attack[] = [
  (path) => `cat ${path}`,
  (path) => `${variable(path)}; cat "$p"`,
  (path) => `${variable(path)}; head -c 999 "$p"`,
  (path) => `${variable(path)}; tac "$p"`,
  (path) => `${variable(path)}; while read -r line; do echo "$line"; done < "$p"`,
  (path) => `${variable(path)}; grep -r . "$(dirname "$p")" --include="$(basename "$p")"`,
  (path) => `${variable(path)}; find "$(dirname "$p")" -maxdepth 1 -type f -exec cat {} +`,
  (path) => `${variable(path)}; tar cf - -C "$(dirname "$p")" "$(basename "$p")"`,
  (path) => `${variable(path)}; ln -s "$p" l3; cat l3; rm -f l3`,
  (path) => `${variable(path)}; ln "$p" l4; cat l4; rm -f l4`,
  (path) => `${variable(path)}; cp "$p" c5; cat c5; rm -f c5`,
  (path) => `${variable(path)}; cat "/proc/self/root$p"`,
  (path) => `${variable(path)}; cat "/proc/1/root$p"`,
  (path) => `${variable(path)}; cat "/proc/self/cwd/../../..$p"`,
  (path) => `${variable(path)}; diff "$p" /dev/null`,
  (path) => `python3 -c 'print(open(${joined(path)}).read())'`,
  (path) => `perl -e 'open(F,${joined(path, ".")}); print <F>'`,
  (path) => `node -e 'console.log(require("fs").readFileSync(${joined(path)},"utf8"))'`,
  (path) =>
    `awk 'BEGIN { p = "${pieces(path)[0]}" "${pieces(path)[1]}"; while ((getline l < p) > 0) print l }'`,
];

/** What a process of root could change for the whole machine. They are opened, never written. */
const OF_MACHINE: readonly string[] = [
  "/proc/sys/kernel/core_pattern",
  "/proc/sys/kernel/hostname",
  "/proc/sys/kernel/panic",
  "/proc/sys/vm/overcommit_memory",
  "/proc/sys/fs/suid_dumpable",
  "/proc/sysrq-trigger",
  "/proc/irq/default_smp_affinity",
  "/proc/self/oom_score_adj.x",
  "/sys/kernel/mm/transparent_hugepage/enabled",
  "/sys/fs/cgroup/cgroup.procs",
  "/sys/kernel/uevent_helper",
  "/etc/passwd",
  "/etc/hosts",
  "/etc/ld.so.preload",
  "/etc/cron.d/x",
  "/usr/bin/env",
  "/usr/local/bin/x",
  "/lib/x.so",
  "/var/lib/x",
  "/opt/x",
  "/root/.x",
  "/boot/x",
  "/dev/mem",
  "/dev/kmsg",
  "/dev/sda",
  "/dev/loop-control",
  "/run/x",
  "/var/spool/cron/x",
];

function openToWrite(path: string): string {
  const flags = "os.O_WRONLY|os.O_APPEND|(0 if os.path.exists(p) else os.O_CREAT)";
  return `python3 -c 'import os; p=${joined(path)}; os.close(os.open(p,${flags})); print("OPENED-"+"4711")'`;
}

function escapes({ pid, home, other }: AttackPlace): readonly string[] {
  const opened = `echo OPENED-"4711"`;
  return [
    `kill -9 ${pid} && ${opened}`,
    `python3 -c 'import os; os.kill(${pid},15); print("OPENED-"+"4711")'`,
    `cat /proc/${pid}/environ && ${opened}`,
    `cat /proc/${pid}/cmdline | grep . && ${opened}`,
    `ls -d /proc/${pid}/root/ && ${opened}`,
    `nsenter -t 1 -a true && nsenter -t ${pid} -a true && ${opened}`,
    `nsenter -t ${pid} -m true && ${opened}`,
    `gdb -p ${pid} -batch && ${opened}`,
    `strace -p ${pid} & sleep 0.2; kill %1 && ls -d /proc/${pid} && ${opened}`,
    `mount -t proc p /mnt && ${opened}`,
    `mount -t tmpfs t /mnt && ${opened}`,
    `mount -o remount,rw / && ${opened}`,
    `umount /proc && ${opened}`,
    `umount -l /proc/sys && ${opened}`,
    `chroot / true && ${opened}`,
    `mknod d c 1 1 && ${opened}`,
    `mknod d b 8 0 && ${opened}`,
    `unshare -U true && ${opened}`,
    `unshare -rm true && ${opened}`,
    `unshare -rn true && ${opened}`,
    `unshare -m true && ${opened}`,
    `hostname x && ${opened}`,
    `date -s 2001-01-01 && ${opened}`,
    `insmod x.ko && ${opened}`,
    `modprobe loop && ${opened}`,
    `dmesg -C && ${opened}`,
    `iptables -F && ${opened}`,
    `ip link set lo down && ip link add d0 type dummy && ${opened}`,
    `keyctl add user a b @s && ${opened}`,
    `python3 -c 'import ctypes; l=ctypes.CDLL(None,use_errno=True); print("OPENED-"+"4711" if l.unshare(0x10000000)==0 else "no")'`,
    `python3 -c 'import ctypes; l=ctypes.CDLL(None,use_errno=True); print("OPENED-"+"4711" if l.ptrace(16,${pid},None,None)==0 else "no")'`,
    `python3 -c 'import ctypes; l=ctypes.CDLL(None,use_errno=True); print("OPENED-"+"4711" if l.mount(b"t",b"/mnt",b"tmpfs",0,None)==0 else "no")'`,
    `python3 -c 'import ctypes; l=ctypes.CDLL(None,use_errno=True); print("OPENED-"+"4711" if l.setns(3,0)==0 else "no")'`,
    `python3 -c 'import socket; socket.socket(socket.AF_PACKET,socket.SOCK_RAW); print("OPENED-"+"4711")'`,
    `python3 -c 'import socket; socket.socket(40,socket.SOCK_STREAM); print("OPENED-"+"4711")'`,
    `python3 -c 'import socket; socket.socket(38,socket.SOCK_SEQPACKET); print("OPENED-"+"4711")'`,
    `for f in /proc/[0-9]*/fd/*; do readlink "$f"; done | grep -E '${home.slice(1, 8)}.*/users/ada|${other.slice(-11)}' && ${opened}`,
    `crontab -l && ${opened}`,
    `at now < /dev/null && ${opened}`,
    `systemctl list-units && ${opened}`,
    `docker ps && ${opened}`,
    `sudo -n true && su -c true nobody && ${opened}`,
  ];
}

function connections({ port, socket }: AttackPlace): readonly string[] {
  const url = `http://127.0.0.1:${port}/`;
  return [
    `curl -s -m 2 ${url}`,
    `curl -s -m 2 --unix-socket "${pieces(socket)[0]}"'${pieces(socket)[1]}' http://a/`,
    `u=127.0.0.; curl -s -m 2 http://"$u"1:${port}/`,
    `curl -s -m 2 http://[::ffff:127.0.0.1]:${port}/`,
    `curl -s -m 2 http://2130706433:${port}/`,
    `wget -q -T 2 -t 1 -O - ${url}`,
    `exec 3<>/dev/tcp/127.0.0.1/${port}; echo GET >&3`,
    `bash -c 'h=localhost; exec 3<>/dev/tcp/$h/${port}; echo GET >&3'`,
    `nc -w 2 127.0.0.1 ${port} < a.txt`,
    `python3 -c 'import socket; socket.create_connection(("127.0.0."+"1",${port}),2)'`,
    `python3 -c 'import urllib.request; urllib.request.urlopen("http://127.0.0."+"1:${port}",timeout=2)'`,
    `python3 -c 'import socket; s=socket.socket(socket.AF_UNIX); s.connect(${joined(socket)})'`,
    `perl -MIO::Socket::INET -e 'IO::Socket::INET->new("127.0.0.1:${port}")'`,
    `node -e 'require("net").connect(${port},"127.0.0."+1).on("error",()=>{})'`,
    `node -e 'fetch("http://127.0.0."+"1:${port}").catch(()=>{})'`,
    `git clone -q ${url}a.git cloned`,
    `git ls-remote ${url}`,
    `ssh -o BatchMode=yes -o ConnectTimeout=2 -p ${port} 127.0.0.1 true`,
    `telnet 127.0.0.1 ${port} < /dev/null`,
    `openssl s_client -connect 127.0.0.1:${port} < /dev/null`,
    `npm view left-pad --registry ${url}`,
    `pip download x --index-url ${url}`,
    `rsync rsync://127.0.0.1:${port}/a .`,
    `getent hosts canary.example && curl -s -m 2 http://canary.example:${port}/`,
  ];
}
