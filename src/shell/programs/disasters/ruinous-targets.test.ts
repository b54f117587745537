import assert from "node:assert/strict";
import { test } from "node:test";
import { isDisk, isEverythingHere, isRuinous } from "./ruinous-targets.ts";

const DISKS =
  "/dev/sda /dev/sdab /dev/sda1 /dev/sda12 /dev/hda /dev/vdb2 /dev/xvda1 /dev/nvme0 /dev/nvme10 /dev/nvme0n1 /dev/nvme0n12 /dev/nvme0n1p1 /dev/nvme0n1p12 " +
  "/dev/mmcblk0 /dev/mmcblk10 /dev/mmcblk0p1 /dev/mmcblk0p12 /dev/disk0 /dev/rdisk10 /dev/disk0s1 /dev/disk0s1s12 /dev/dm-0 /dev/dm-12 /dev/md0 /dev/md127 " +
  "/dev/loop0 /dev/loop10 /dev/sr0 /dev/sr10 /dev/zram0 /dev/zram10 /dev/mapper/x /dev/mapper/root-vg /dev/disk/by-id/x /dev/mem /dev/kmem /dev/port /dev/nvram " +
  "/proc/sysrq-trigger /proc/kcore /proc/sys/kernel/panic";
for (const path of DISKS.split(" "))
  test(`${path} is a disk or the kernel`, () => assert.ok(isDisk(path, "/w")));

const NO_DISKS =
  "/dev/sd /dev/sd1 /dev/sdax1y /dev/nvme /dev/nvmex /dev/nvme0n /dev/nvme0p1 /dev/mmcblk /dev/mmcblk0p /dev/disk /dev/disk0s /dev/dm- /dev/dm-x /dev/md /dev/loop " +
  "/dev/sr /dev/zram /dev/mapper /dev/mapper/ /dev/null /dev/memx /dev/stdout /proc/sys/kernel /proc/sys/kernelx/a /proc/cpuinfo /w/dev/sda dev/sda /x/dev/mem";
for (const path of NO_DISKS.split(" ")) test(`${path} is no disk`, () => assert.ok(!isDisk(path, "/w")));

test("a relative name of a disk is one from the folder of the command", () => {
  assert.deepEqual(
    [isDisk("sda", "/dev"), isDisk("dev/sda", "/"), isDisk("../dev/sda", "/w"), isDisk("sda", "/w")],
    [true, true, true, false],
  );
});

const AT = { cwds: ["/w/x"], home: "/srv/ada" };
const RUINOUS =
  "/ // /. /.. /* /.* /etc /etc/ /etc/* /usr/* /usr/bin /usr/lib64 /var/log /var/cache /private/var /private/etc /home/bob /Users/bob /srv /srv/ada /srv/ada/* /nix /snap " +
  "/bin/{*,.*} ~ ~/ ~// ~/* ~/.* ~/. ~//.* ~root ~a.b-c $HOME ${HOME} $HOME/ $HOME/* $PWD ${OLDPWD}/* . .. ./ ../ ../.. ..//.. ./.. ../. C: C:/ C:\\ C:\\* c:/* C:\\\\";
for (const text of RUINOUS.split(" "))
  test(`${text} is the root, a home or a system folder`, () => assert.ok(isRuinous(text, AT)));

const HARMLESS =
  "x ./x ../x ~/x ~/*/x $HOME/x $HOMEX $X a. ... /etc/x /usr/bin/x /home/bob/x /srv/x /srv/adam /var/logs /opt/x /w /w/x C:x C:/x CC:/ /tmp /tmp/x x/etc";
for (const text of HARMLESS.split(" "))
  test(`${text} is no root, home or system folder`, () => assert.ok(!isRuinous(text, AT)));

test("a relative name counts from each folder in which the command may run, and an empty one is none", () => {
  assert.deepEqual(
    [
      isRuinous("etc", { cwds: ["/"] }),
      isRuinous("etc", { cwds: ["/w", "/"] }),
      isRuinous("etc", { cwds: ["/w"] }),
      isRuinous("etc", { cwds: [] }),
      isRuinous("", { cwds: ["/"] }),
      isRuinous("*", { cwds: ["/usr"] }),
      isRuinous("../etc", { cwds: ["/w"] }),
      isRuinous("/srv/ada", { cwds: [] }),
      isRuinous("ada", { cwds: ["/home"] }),
    ],
    [true, true, false, false, false, true, true, false, true],
  );
});

test("everything in the current folder is a star, hidden names or both", () => {
  const texts = [
    "*",
    "./*",
    ".//*",
    ".*",
    "./.*",
    "{*,.*}",
    ".[!.]*",
    "a*",
    "*a",
    "x/*",
    "../*",
    "./a",
    "{*,a}",
  ];
  assert.deepEqual(texts.filter(isEverythingHere), texts.slice(0, 7));
});
