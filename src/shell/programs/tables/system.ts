import type { Program, Use } from "./program.ts";

/** Programs that inspect or change the machine. */
export const SYSTEM_PROGRAMS: readonly Program[] = [
  {
    names: "date gdate",
    flags: {
      safe: "-d,--date= --debug -I,--iso-8601=? -R,--rfc-email --rfc-3339= -u,--utc,--universal -r,--reference=r --resolution --help --version",
      // It prints the lines it cannot parse.
      opaque: "-f,--file=r -j -v=",
      writes: "-s,--set=",
    },
    operands: "none",
    readOnly: true,
    proves: ({ operands }) => operands.every(({ text }) => text.startsWith("+")),
  },
  {
    names: "hostname domainname",
    flags: { safe: "-a -A -d -f -i -I -s -y -V -h --fqdn --short --long", writes: "-b -F,--file=r" },
    operands: "none",
    readOnly: true,
    proves: hasNoOperands,
  },
  {
    names: "uname arch nproc whoami logname groups users tty uptime hostid sw_vers lsb_release",
    flags: { safe: "-a,--all -s -n -r -v -m -p -i -o --ignore= -c -d" },
    operands: "none",
    readOnly: true,
  },
  {
    names: "id",
    flags: { safe: "-a -G,--groups -g,--group -n,--name -r,--real -u,--user -z,--zero -Z" },
    operands: "none",
    readOnly: true,
  },
  { names: "printenv", flags: { safe: "-0,--null" }, operands: "none", readOnly: true },
  {
    names: "locale getconf tput",
    flags: { safe: "-a,--all-locales -m,--charmaps -k -c" },
    operands: "none",
    readOnly: true,
    proves: hasNoOperands,
  },
  {
    names: "free vmstat lscpu lsblk lsmod lspci lsusb",
    flags: { safe: "-a -b -k -m -g -h,--human -l -t -w -f -i -n -e -x -J,--json -p -o=" },
    operands: "none",
    readOnly: true,
    proves: ({ operands, flags }) =>
      operands.length === 0 && flags.every(({ values }) => values.length === 0),
  },
  {
    names: "who w last cal ncal",
    flags: { safe: "-a -b -d -H -l -m -q -r -s -t -u -h -i -f -o -y -1 -3" },
    operands: "none",
    readOnly: true,
    proves: hasNoOperands,
  },
  {
    names: "ps",
    flags: {
      safe: "-A -a -d -e -f -F -H -j -l -L -M -N -T -u= -U= -g= -G= -p= -s= -t= -w -x -y -o= -O= -C= -q= -V --pid= --ppid= --user= --User= --sort= --format= --forest --headers --no-headers --width= --cols= --rows= --deselect --quick-pid=",
    },
    operands: "none",
  },
  {
    names: "pgrep pidof pstree",
    flags: { safe: "-a -c -d= -f -i -l -n -o -s= -u= -U= -v -w -x -p -g= -G= -P= -t= -A" },
    operands: "none",
  },
  {
    names: "top htop lsof fuser dmesg journalctl sysctl dmidecode iostat sar",
    flags: {
      writes: "-w -C,--clear -k,--kill -c,--read-clear --vacuum-size= --vacuum-time= --rotate --flush",
    },
    operands: "looks",
  },
  {
    names: "kill pkill killall skill xkill killall5",
    flags: { safe: "-l,--list -s,--signal= -n= -f -u= -x -9 -15 -1 -2 -3 -0" },
    operands: "none",
  },
  {
    names:
      "mount umount swapon swapoff losetup cryptsetup fsck e2fsck tune2fs resize2fs blkdiscard hdparm lvremove vgremove pvremove zpool zfs mdadm",
    operands: "maybe-write",
    ungrantable: "privilege",
  },
  {
    names: "mkfs mke2fs mkswap mkdosfs wipefs newfs fdisk sfdisk cfdisk gdisk sgdisk parted diskutil format",
    operands: "write",
    ungrantable: "privilege",
  },
  {
    names:
      "shutdown reboot halt poweroff init telinit systemctl service rc-service initctl modprobe insmod rmmod useradd userdel usermod groupadd passwd chpasswd visudo chsh vipw ufw iptables ip6tables nft firewall-cmd setenforce update-alternatives ldconfig",
    operands: "looks",
    ungrantable: "privilege",
  },
];

function hasNoOperands({ operands }: Use): boolean {
  return operands.length === 0;
}
