/** The architectures that a filter can be made for. */
export type FilterArch = "x64" | "arm64";

/** A condition on an argument of a system call, whose lower 32 bits are compared: the kernel looks at no others of these. */
export type Condition =
  | { readonly argument: number; readonly hasAnyOf: number }
  | { readonly argument: number; readonly isOneOf: readonly number[] }
  | { readonly argument: number; readonly isNoneOf: readonly number[] };

/** A system call that is answered with an error, if all conditions hold. */
export interface FilterRule {
  readonly name: string;
  /** Its numbers; `arm64` has fewer calls. */
  readonly numbers: Readonly<Partial<Record<FilterArch, number>>>;
  readonly errno: number;
  readonly when: readonly Condition[];
}

const EPERM = 1;
export const ENOSYS = 38;

const CLONE_NEWUSER = 0x1000_0000;
const SETUID = 0o4000;
/** O_CREAT, and the bit of O_TMPFILE that no other flag has: without them the mode is not looked at. */
const CREATES = 0x40 | 0x40_0000;
/** AF_UNSPEC, AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. The others reach past the network namespace, or parts of the kernel that programs rarely use. */
const FAMILIES = [0, 1, 2, 10, 16];
/** TIOCSTI and TIOCLINUX type into the terminal from which the sandbox was started. */
const TYPES_INTO_TERMINAL = [0x5412, 0x541c];

/** The numbers on x64 and arm64, or the one that both have. */
const REFUSED = `
keyctl 250 219, add_key 248 217, request_key 249 218
bpf 321 280, perf_event_open 298 241, userfaultfd 323 282
mount 165 40, umount2 166 39, pivot_root 155 41, move_mount 429, fsopen 430, fsconfig 431, fsmount 432, fspick 433
open_tree 428, mount_setattr 442, open_tree_attr 467
kexec_load 246 104, kexec_file_load 320 294
init_module 175 105, finit_module 313 273, delete_module 176 106, create_module 174 -, get_kernel_syms 177 -, query_module 178 -
setns 308 268, open_by_handle_at 304 265, fanotify_init 300 262
acct 163 89, swapon 167 224, swapoff 168 225, reboot 169 142, quotactl 179 60, quotactl_fd 443, nfsservctl 180 42
settimeofday 164 170, clock_settime 227 112, sethostname 170 161, setdomainname 171 162, vhangup 153 58, syslog 103 116
iopl 172 -, ioperm 173 -, modify_ldt 154 -, uselib 134 -, ustat 136 -, sysfs 139 -, _sysctl 156 -, lookup_dcookie 212 18
`;

/** Callers fall back to older calls, whose arguments the filter can read. */
const MISSING = "clone3 435, io_uring_setup 425, io_uring_enter 426, io_uring_register 427, openat2 437";

/** Files that are created, or whose mode is changed, with the index of the mode. */
const SETS_MODE = [
  ["chmod 90 -", 1],
  ["fchmod 91 52", 1],
  ["fchmodat 268 53", 2],
  ["fchmodat2 452", 2],
  ["creat 85 -", 1],
  ["mknod 133 -", 1],
  ["mknodat 259 33", 2],
] as const;
/** The same, with the index of the flags before that of the mode. */
const OPENS = [
  ["openat 257 56", 2],
  ["open 2 -", 1],
] as const;

const usesOtherFamily: Condition = { argument: 0, isNoneOf: FAMILIES };

/** What no program in a sandbox may do. Calls that programs make often come first. */
export const RULES: readonly FilterRule[] = [
  ...OPENS.map(([text, flags]) =>
    rule(text, EPERM, [
      { argument: flags, hasAnyOf: CREATES },
      { argument: flags + 1, hasAnyOf: SETUID },
    ]),
  ),
  rule("ioctl 16 29", EPERM, [{ argument: 1, isOneOf: TYPES_INTO_TERMINAL }]),
  rule("socket 41 198", EPERM, [usesOtherFamily]),
  rule("socketpair 53 199", EPERM, [usesOtherFamily]),
  ...SETS_MODE.map(([text, mode]) => rule(text, EPERM, [{ argument: mode, hasAnyOf: SETUID }])),
  ...split(MISSING).map((text) => rule(text, ENOSYS)),
  ...split(REFUSED).map((text) => rule(text, EPERM)),
];

/** New user namespaces, in which a program has every capability. */
export const USER_NAMESPACE_RULES: readonly FilterRule[] = [
  rule("clone 56 220", EPERM, [{ argument: 0, hasAnyOf: CLONE_NEWUSER }]),
  rule("unshare 272 97", EPERM, [{ argument: 0, hasAnyOf: CLONE_NEWUSER }]),
];

function split(text: string): readonly string[] {
  return text.trim().split(/,\s*|\n/);
}

function rule(text: string, errno: number, when: readonly Condition[] = []): FilterRule {
  const [name = "", x64, arm64 = x64] = text.split(" ");
  const numbers = { x64: Number(x64), ...(arm64 !== "-" && { arm64: Number(arm64) }) };
  return { name, numbers, errno, when };
}
