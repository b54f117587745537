# Tries to get out of a sandbox and prints what each attempt came to. Arguments: a JSON object of what is outside. Files are opened for writing and closed;
# nothing is ever written, and system calls have arguments with which they do nothing.
import ctypes, errno, json, os, platform, socket, stat, struct, sys

OUTSIDE = json.loads(sys.argv[1])
LIBC = ctypes.CDLL(None, use_errno=True)
IS_ARM = platform.machine() == "aarch64"
REFUSALS = {errno.EPERM, errno.ENOSYS}
results = []


def attempt(name, action):
    try:
        done = action()
    except OSError:
        done = False
    results.append([name, bool(done)])


def opens(path, flags=os.O_WRONLY):
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    found = os.fstat(descriptor)
    os.close(descriptor)
    # Sandboxes cover files by the null device.
    return not (stat.S_ISCHR(found.st_mode) and found.st_rdev == os.makedev(1, 3))


def call(number, *arguments):
    ctypes.set_errno(0)
    value = LIBC.syscall(ctypes.c_long(number), *[ctypes.c_long(one) if isinstance(one, int) else one for one in arguments])
    return value, ctypes.get_errno()


def reaches(*line):
    """True unless the call is refused: another error means that the kernel has looked at the arguments."""
    value, code = call(*line)
    return value >= 0 or code not in REFUSALS


def words(text):
    return text.split()


SYSCTLS = words("""
kernel/core_pattern kernel/core_pipe_limit kernel/core_uses_pid kernel/hostname kernel/domainname kernel/modprobe kernel/hotplug kernel/panic
kernel/panic_on_oops kernel/sysrq kernel/ns_last_pid kernel/randomize_va_space kernel/yama/ptrace_scope kernel/perf_event_paranoid
kernel/unprivileged_bpf_disabled kernel/kptr_restrict kernel/dmesg_restrict kernel/printk kernel/pid_max kernel/threads-max kernel/shmmax
kernel/msgmax kernel/sem kernel/poweroff_cmd kernel/kexec_load_disabled kernel/modules_disabled kernel/keys/maxkeys kernel/cad_pid
kernel/unprivileged_userns_clone kernel/tainted kernel/usermodehelper/bset kernel/usermodehelper/inheritable kernel/io_uring_disabled
vm/overcommit_memory vm/panic_on_oom vm/drop_caches vm/swappiness vm/mmap_min_addr vm/compact_memory vm/oom_kill_allocating_task vm/nr_hugepages
vm/unprivileged_userfaultfd vm/max_map_count fs/file-max fs/suid_dumpable fs/protected_symlinks fs/protected_hardlinks fs/protected_fifos
fs/protected_regular fs/pipe-max-size fs/nr_open fs/inotify/max_user_watches fs/binfmt_misc/register fs/binfmt_misc/status fs/mqueue/msg_max
net/core/somaxconn net/ipv4/ip_forward net/ipv4/ping_group_range net/ipv4/ip_unprivileged_port_start net/ipv4/ip_local_port_range
net/ipv6/conf/all/forwarding net/unix/max_dgram_qlen net/core/bpf_jit_enable user/max_user_namespaces user/max_mnt_namespaces debug/exception-trace
""")
for name in SYSCTLS:
    attempt("open /proc/sys/" + name, lambda: opens("/proc/sys/" + name))

OTHER = words("""
/proc/sysrq-trigger /proc/irq/default_smp_affinity /proc/irq/0/smp_affinity /proc/irq/1/smp_affinity /proc/bus/pci/00/00.0 /proc/bus/pci/devices
/proc/bus/input/devices /proc/fs/ext4 /proc/fs/jbd2 /proc/fs/nfsd/threads /proc/fs/xfs/stat /proc/mtrr /proc/acpi/wakeup /proc/scsi/scsi /proc/kcore
/proc/kmsg /proc/kpagecgroup /proc/pressure/cpu /proc/pressure/memory /proc/pressure/io /proc/timer_list /proc/dynamic_debug/control
/proc/latency_stats /proc/tty/drivers /proc/driver/rtc /proc/sysvipc/shm /proc/slabinfo
/sys/kernel/uevent_helper /sys/kernel/mm/ksm/run /sys/kernel/mm/transparent_hugepage/enabled /sys/kernel/profiling /sys/kernel/kexec_crash_size
/sys/kernel/debug/x86/pti_enabled /sys/kernel/security/lsm /sys/power/state /sys/power/disk /sys/power/wake_lock /sys/firmware/efi/vars/new_var
/sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/cgroup.subtree_control /sys/fs/cgroup/release_agent /sys/fs/cgroup/memory/cgroup.procs
/sys/fs/cgroup/memory/release_agent /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/devices/devices.allow /sys/fs/cgroup/pids/cgroup.procs
/sys/fs/cgroup/unified/cgroup.procs /sys/fs/cgroup/cpu/cgroup.procs /sys/fs/bpf /sys/fs/selinux/enforce /sys/bus/pci/rescan
/sys/devices/system/cpu/cpu1/online /sys/block/vda/queue/scheduler /sys/class/net/lo/mtu /sys/module/kernel/parameters/panic
/dev/mem /dev/kmem /dev/port /dev/kmsg /dev/vda /dev/sda /dev/nvme0n1 /dev/fuse /dev/kvm /dev/net/tun /dev/vsock /dev/vhost-net /dev/vhost-vsock
/dev/loop0 /dev/loop-control /dev/mapper/control /dev/rtc0 /dev/hpet /dev/snapshot /dev/uinput /dev/nvram /dev/ppp /dev/userfaultfd /dev/autofs
/dev/btrfs-control /dev/cuse /dev/tty1 /dev/console /dev/vcs /dev/mqueue /dev/dri/card0 /dev/input/event0
""")
for path in OTHER:
    attempt("open " + path, lambda: opens(path))


def sweep(folder, skipped=()):
    """Returns true, and prints the path, if a file below a folder can be opened for writing."""
    for top, folders, files in os.walk(folder):
        folders[:] = [one for one in folders if os.path.join(top, one) not in skipped and not (top == "/proc" and one.isdigit())]
        for one in files:
            path = os.path.join(top, one)
            try:
                if stat.S_ISREG(os.lstat(path).st_mode) and opens(path):
                    print("opened", path, file=sys.stderr)
                    return True
            except OSError:
                pass
    return False


# Files of debugging may do something when they are opened.
UNSAFE = ("/sys/kernel/debug", "/sys/kernel/tracing")
for folder in ["/proc/sys", "/proc/irq", "/proc/bus", "/proc/fs", "/proc", "/sys/fs/cgroup", "/sys"]:
    attempt("any file below " + folder, lambda: sweep(folder, UNSAFE))
for path in ["/proc/sys/kernel", "/proc/sys", "/proc", "/sys", "/sys/fs/cgroup"]:
    attempt("create in " + path, lambda: os.access(path, os.W_OK) and os.statvfs(path).f_flag & os.ST_RDONLY == 0)

# Numbers on x64 and arm64.
CALLS = {
    "keyctl": ((250, 219), 0, -3, 0), "add_key": ((248, 217), 0, 0, 0, 0, 0), "request_key": ((249, 218), 0, 0, 0, 0),
    "io_uring_setup": ((425, 425), 0, 0), "io_uring_enter": ((426, 426), -1, 0, 0, 0, 0, 0), "io_uring_register": ((427, 427), -1, 0, 0, 0),
    "bpf": ((321, 280), -1, 0, 0), "perf_event_open": ((298, 241), 0, 0, -1, -1, 0), "userfaultfd": ((323, 282), 1),
    "mount": ((165, 40), 0, 0, 0, 0, 0), "umount2": ((166, 39), 0, 0), "pivot_root": ((155, 41), 0, 0), "fsopen": ((430, 430), 0, 0),
    "fsconfig": ((431, 431), -1, 0, 0, 0, 0), "fsmount": ((432, 432), -1, 0, 0), "fspick": ((433, 433), -1, 0, 0),
    "move_mount": ((429, 429), -1, 0, -1, 0, 0), "open_tree": ((428, 428), -1, 0, 0), "mount_setattr": ((442, 442), -1, 0, 0, 0, 0),
    "open_tree_attr": ((467, 467), -1, 0, 0, 0, 0), "kexec_load": ((246, 104), 0, 0, 0, -1), "kexec_file_load": ((320, 294), -1, -1, 0, 0, 0),
    "init_module": ((175, 105), 0, 0, 0), "finit_module": ((313, 273), -1, 0, 0), "delete_module": ((176, 106), 0, 0),
    "setns": ((308, 268), -1, 0), "clone3": ((435, 435), 0, 0), "open_by_handle_at": ((304, 265), -1, 0, 0), "fanotify_init": ((300, 262), -1, 0),
    "acct": ((163, 89), -1), "swapon": ((167, 224), 0, 0), "swapoff": ((168, 225), 0), "reboot": ((169, 142), 0, 0, 0, 0),
    "quotactl": ((179, 60), -1, 0, 0, 0), "quotactl_fd": ((443, 443), -1, 0, 0, 0), "settimeofday": ((164, 170), 0, 0),
    "clock_settime": ((227, 112), -1, 0), "sethostname": ((170, 161), 0, -1), "setdomainname": ((171, 162), 0, -1), "vhangup": ((153, 58),),
    "syslog": ((103, 116), 10, 0, 0), "openat2": ((437, 437), -1, 0, 0, 0), "fchmodat2 with setuid": ((452, 452), -1, 0, 0o4755, 0),
    "fchmod with setuid": ((91, 52), -1, 0o4755), "fchmodat with setuid": ((268, 53), -1, 0, 0o4755), "mknodat with setuid": ((259, 33), -1, 0, 0o104755, 0),
    "openat with setuid": ((257, 56), -1, 0, os.O_CREAT, 0o4755), "openat of a temporary file with setuid": ((257, 56), -1, 0, os.O_TMPFILE | os.O_RDWR, 0o4755),
    "iopl": ((172, None), 3), "ioperm": ((173, None), 0, 1, 1), "modify_ldt": ((154, None), 0, 0, 0), "uselib": ((134, None), 0),
    "chmod with setuid": ((90, None), 0, 0o4755), "creat with setuid": ((85, None), 0, 0o4755), "open with setuid": ((2, None), 0, os.O_CREAT, 0o4755),
    "mknod with setuid": ((133, None), 0, 0o104755, 0), "mount of x32": ((0x40000000 + 165, None), 0, 0, 0, 0, 0), "keyctl of x32": ((0x40000000 + 250, None), 0, -3, 0),
    "ioctl TIOCSTI": ((16, 29), 0, 0x5412, 0), "ioctl TIOCLINUX": ((16, 29), 0, 0x541C, 0), "ioctl TIOCSTI with high bits": ((16, 29), 0, 0x100005412, 0),
}
for name, ((x64, arm), *arguments) in CALLS.items():
    number = arm if IS_ARM else x64
    if number is not None:
        attempt("call " + name, lambda: reaches(number, *arguments))

USUAL_FAMILIES = {0, 1, 2, 10, 16}
for family in range(46):
    if family not in USUAL_FAMILIES:
        attempt("socket of family %d" % family, lambda: reaches(198 if IS_ARM else 41, family, 3, 0))
attempt("socketpair of family 30", lambda: reaches(199 if IS_ARM else 53, 30, 2, 0, ctypes.create_string_buffer(8)))
attempt("raw socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt("raw IPv6 socket", lambda: socket.socket(socket.AF_INET6, socket.SOCK_RAW, 58))

NEW = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000, "uts": 0x4000000, "ipc": 0x8000000, "cgroup": 0x2000000, "time": 0x80}


def in_child(action):
    """Returns whether an action succeeds in a process of its own."""
    pid = os.fork()
    if pid == 0:
        try:
            os._exit(0 if action() else 1)
        except BaseException:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def unshares(flags):
    return call(97 if IS_ARM else 272, flags)[0] == 0


def clones(flags):
    pid, _ = call(220 if IS_ARM else 56, flags | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return pid > 0


def clones3(flags):
    arguments = ctypes.create_string_buffer(struct.pack("<11Q", flags, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0))
    pid, _ = call(435, arguments, 88)
    if pid == 0:
        os._exit(0)
    return pid > 0


for name, flag in NEW.items():
    attempt("unshare " + name, lambda: in_child(lambda: unshares(flag)))
    if name != "time":
        attempt("clone " + name, lambda: in_child(lambda: clones(flag)))
    attempt("clone3 " + name, lambda: in_child(lambda: clones3(flag)))
attempt("unshare user with high bits", lambda: in_child(lambda: unshares(0x10000000 | 1 << 40)))


def nested(action):
    """Tries something as root of a new user namespace, where that can be made."""
    def enter():
        uid, gid = os.getuid(), os.getgid()
        if not unshares(NEW["user"] | NEW["mount"] | NEW["pid"] | NEW["net"]):
            return False
        for name, text in [("setgroups", "deny"), ("uid_map", "0 %d 1" % uid), ("gid_map", "0 %d 1" % gid)]:
            try:
                with open("/proc/self/" + name, "w") as file:
                    file.write(text)
            except OSError:
                pass
        return action()
    return in_child(enter)


MOUNT = 40 if IS_ARM else 165
text = ctypes.create_string_buffer
attempt("nested: mount proc", lambda: nested(lambda: call(MOUNT, text(b"proc"), text(b"/proc"), text(b"proc"), 0, 0)[0] == 0))
attempt("nested: mount tmpfs", lambda: nested(lambda: call(MOUNT, text(b"t"), text(b"/tmp"), text(b"tmpfs"), 0, 0)[0] == 0))
attempt("nested: mount sysfs", lambda: nested(lambda: call(MOUNT, text(b"s"), text(b"/tmp"), text(b"sysfs"), 0, 0)[0] == 0))
attempt("nested: mount cgroup2", lambda: nested(lambda: call(MOUNT, text(b"c"), text(b"/tmp"), text(b"cgroup2"), 0, 0)[0] == 0))
attempt("nested: remount /proc writable", lambda: nested(lambda: call(MOUNT, 0, text(b"/proc"), 0, 0x1020, 0)[0] == 0))
attempt("nested: remount /proc/sys writable", lambda: nested(lambda: call(MOUNT, 0, text(b"/proc/sys"), 0, 0x1020, 0)[0] == 0))
attempt("nested: bind /proc", lambda: nested(lambda: call(MOUNT, text(b"/proc"), text(b"/tmp"), 0, 0x5000, 0)[0] == 0))
attempt("nested: unmount /proc/sys", lambda: nested(lambda: call(39 if IS_ARM else 166, text(b"/proc/sys"), 2)[0] == 0))
attempt("nested: fsopen proc", lambda: nested(lambda: call(430, text(b"proc"), 0)[0] >= 0))
attempt("nested: open_tree of /proc", lambda: nested(lambda: call(428, -100, text(b"/proc"), 1)[0] >= 0))
for path in ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/irq/default_smp_affinity", "/proc/sys/user/max_user_namespaces"]:
    attempt("nested: open " + path, lambda: nested(lambda: opens(path)))


def connects(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as one:
        one.settimeout(2)
        one.connect(address)
    return True


pid = OUTSIDE["pid"]
attempt("signal a process outside", lambda: os.kill(pid, 0) is None)
attempt("trace a process outside", lambda: LIBC.ptrace(0x4206, pid, None, None) == 0)
attempt("pidfd of a process outside", lambda: call(434, pid, 0)[0] >= 0)
for name in ["root/etc/passwd", "environ", "maps", "cwd/.", "fd/0", "ns/mnt"]:
    attempt("read /proc/PID/%s outside" % name, lambda: opens("/proc/%d/%s" % (pid, name), os.O_RDONLY))
for top in ["/proc/1/root", "/proc/self/root", "/proc/self/cwd", ""]:
    attempt("write %sFILE outside" % top, lambda: opens(top + OUTSIDE["file"]))
    attempt("read %sSECRET outside" % top, lambda: opens(top + OUTSIDE["secret"], os.O_RDONLY))
attempt("connect to a port outside", lambda: connects(socket.AF_INET, ("127.0.0.1", OUTSIDE["port"])))
attempt("connect to a port outside by IPv6", lambda: connects(socket.AF_INET6, ("::ffff:127.0.0.1", OUTSIDE["port"])))
attempt("connect to a socket outside", lambda: connects(socket.AF_UNIX, OUTSIDE["socket"]))
attempt("connect to an abstract socket outside", lambda: connects(socket.AF_UNIX, "\0" + OUTSIDE["abstract"]))
attempt("send UDP outside", lambda: connects(socket.AF_INET, ("192.0.2.1", 53), socket.SOCK_DGRAM))
for descriptor in range(3, 64):
    if os.path.exists("/proc/self/fd/%d" % descriptor) and stat.S_ISDIR(os.stat("/proc/self/fd/%d" % descriptor).st_mode):
        attempt("inherited folder %d" % descriptor, lambda: True)
attempt("chroot", lambda: in_child(lambda: os.chroot("/tmp") is None))
attempt("device node", lambda: os.mknod("/tmp/escape-device", stat.S_IFCHR | 0o600, os.makedev(1, 1)) is None)
attempt("block device node", lambda: os.mknod("/tmp/escape-block", stat.S_IFBLK | 0o600, os.makedev(254, 0)) is None)
attempt("setuid file", lambda: opens("/tmp/escape-plain", os.O_WRONLY | os.O_CREAT) and os.chmod("/tmp/escape-plain", 0o4755) is None)
attempt("change of owner", lambda: os.chown("/tmp/escape-plain", 12345, 12345) is None)
attempt("other user", lambda: in_child(lambda: os.setuid(12345) is None))
attempt("other group", lambda: in_child(lambda: os.setgroups([12345]) is None))
for line in open("/proc/self/status"):
    if line.startswith(("CapPrm", "CapEff", "CapBnd", "CapAmb", "CapInh")):
        attempt("capabilities in " + line[:6], lambda: int(line.split()[1], 16) != 0)
    if line.startswith("NoNewPrivs"):
        attempt("new privileges by setuid programs", lambda: line.split()[1] != "1")
print(json.dumps(results))
