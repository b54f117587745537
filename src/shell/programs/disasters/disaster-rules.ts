import type { Rule } from "../../../core/rule.ts";

/** The disasters that rules can express, for every mode; `findDisaster` finds the others. */
export const DISASTER_RULES: readonly Rule[] = [
  ...rules("deny", "it erases a disk or volume", {
    "luks-format": {
      command: "cryptsetup luksFormat",
      match: ["cryptsetup luksFormat /dev/sda1", "sudo cryptsetup -q luksFormat /dev/sda1"],
      not_match: ["cryptsetup status x"],
    },
    "zpool-destroy": { command: "zpool destroy", match: ["zpool destroy tank"], not_match: ["zpool status"] },
    lvremove: { command: "lvremove", match: ["lvremove -f vg/lv"], not_match: ["lvs"] },
    vgremove: { command: "vgremove", match: ["vgremove vg"], not_match: ["vgs"] },
    "nvme-format": { command: "nvme format", match: ["nvme format /dev/nvme0"], not_match: ["nvme list"] },
    "diskutil-erase": {
      command: "diskutil eraseDisk",
      match: ["diskutil eraseDisk APFS x disk2"],
      not_match: ["diskutil list"],
    },
  }),
  ...rules("ask", "it may change disk partitions", {
    fdisk: { command: "fdisk", match: ["fdisk /dev/sda"], not_match: ["echo fdisk"] },
    sfdisk: { command: "sfdisk", match: ["sfdisk /dev/sda"], not_match: ["lsblk"] },
    gdisk: { command: "gdisk", match: ["gdisk /dev/sda"], not_match: ["lsblk"] },
    sgdisk: { command: "sgdisk", match: ["sgdisk -Z /dev/sda"], not_match: ["lsblk"] },
    parted: { command: "parted", match: ["parted /dev/sda"], not_match: ["lsblk"] },
  }),
  ...rules("ask", "it stops the machine", {
    shutdown: {
      command: "shutdown",
      match: ["shutdown -h now", "sudo shutdown now"],
      not_match: ["echo shutdown"],
    },
    reboot: { command: "reboot", match: ["reboot", "sudo reboot"], not_match: ["echo reboot"] },
    halt: { command: "halt", match: ["halt -p"], not_match: ["echo halt"] },
    poweroff: { command: "poweroff", match: ["poweroff"], not_match: ["echo poweroff"] },
    "systemctl-poweroff": {
      command: "systemctl poweroff",
      match: ["systemctl poweroff"],
      not_match: ["systemctl status"],
    },
    "systemctl-halt": {
      command: "systemctl halt",
      match: ["systemctl halt"],
      not_match: ["systemctl status"],
    },
    "systemctl-kexec": {
      command: "systemctl kexec",
      match: ["systemctl kexec"],
      not_match: ["systemctl status"],
    },
    "init-halt": { command: "init 0", match: ["init 0", "sudo init 0"], not_match: ["init 3", "git init 0"] },
    "init-reboot": { command: "init 6", match: ["init 6"], not_match: ["init 3"] },
    "telinit-halt": { command: "telinit 0", match: ["telinit 0"], not_match: ["telinit q"] },
    "telinit-reboot": { command: "telinit 6", match: ["telinit 6"], not_match: ["telinit q"] },
    "systemctl-reboot": {
      command: "systemctl reboot",
      match: ["systemctl reboot"],
      not_match: ["systemctl status"],
    },
  }),
  ...rules("ask", "it removes all scheduled jobs", {
    "crontab-remove": {
      command: "crontab -r",
      match: ["crontab -r", "crontab -ir"],
      not_match: ["crontab -l"],
    },
  }),
];

interface DisasterCommand {
  readonly command: string;
  readonly match: readonly string[];
  readonly not_match: readonly string[];
}

function rules(
  decision: "deny" | "ask",
  reason: string,
  commands: Readonly<Record<string, DisasterCommand>>,
): readonly Rule[] {
  return Object.entries(commands).map(([id, { command, match, not_match }]) => ({
    id: `disaster.${id}`,
    command: command.split(" "),
    match,
    not_match,
    decision,
    reason,
  }));
}
