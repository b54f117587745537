import type { Rule } from "../../../core/rule.ts";

const EMPTIES = "it erases a disk or volume";
const DIVIDES = "it may change disk partitions";
const STOPS = "it stops the machine";

/** The disasters that rules can express, for every mode; `findDisaster` finds the others. */
export const DISASTER_RULES: readonly Rule[] = [
  rule("luks-format", "deny", EMPTIES, {
    command: ["cryptsetup", "luksFormat"],
    match: ["cryptsetup luksFormat /dev/sda1", "sudo cryptsetup -q luksFormat /dev/sda1"],
    not_match: ["cryptsetup status x"],
  }),
  rule("zpool-destroy", "deny", EMPTIES, {
    command: ["zpool", "destroy"],
    match: ["zpool destroy tank"],
    not_match: ["zpool status"],
  }),
  rule("lvremove", "deny", EMPTIES, {
    command: ["lvremove"],
    match: ["lvremove -f vg/lv"],
    not_match: ["lvs"],
  }),
  rule("vgremove", "deny", EMPTIES, { command: ["vgremove"], match: ["vgremove vg"], not_match: ["vgs"] }),
  rule("nvme-format", "deny", EMPTIES, {
    command: ["nvme", "format"],
    match: ["nvme format /dev/nvme0"],
    not_match: ["nvme list"],
  }),
  rule("diskutil-erase", "deny", EMPTIES, {
    command: ["diskutil", "eraseDisk"],
    match: ["diskutil eraseDisk APFS x disk2"],
    not_match: ["diskutil list"],
  }),
  rule("fdisk", "ask", DIVIDES, { command: ["fdisk"], match: ["fdisk /dev/sda"], not_match: ["echo fdisk"] }),
  rule("sfdisk", "ask", DIVIDES, { command: ["sfdisk"], match: ["sfdisk /dev/sda"], not_match: ["lsblk"] }),
  rule("gdisk", "ask", DIVIDES, { command: ["gdisk"], match: ["gdisk /dev/sda"], not_match: ["lsblk"] }),
  rule("sgdisk", "ask", DIVIDES, {
    command: ["sgdisk"],
    match: ["sgdisk -Z /dev/sda"],
    not_match: ["lsblk"],
  }),
  rule("parted", "ask", DIVIDES, { command: ["parted"], match: ["parted /dev/sda"], not_match: ["lsblk"] }),
  rule("shutdown", "ask", STOPS, {
    command: ["shutdown"],
    match: ["shutdown -h now", "sudo shutdown now"],
    not_match: ["echo shutdown"],
  }),
  rule("reboot", "ask", STOPS, {
    command: ["reboot"],
    match: ["reboot", "sudo reboot"],
    not_match: ["echo reboot"],
  }),
  rule("halt", "ask", STOPS, { command: ["halt"], match: ["halt -p"], not_match: ["echo halt"] }),
  rule("poweroff", "ask", STOPS, {
    command: ["poweroff"],
    match: ["poweroff"],
    not_match: ["echo poweroff"],
  }),
  rule("systemctl-poweroff", "ask", STOPS, {
    command: ["systemctl", "poweroff"],
    match: ["systemctl poweroff"],
    not_match: ["systemctl status"],
  }),
  rule("systemctl-reboot", "ask", STOPS, {
    command: ["systemctl", "reboot"],
    match: ["systemctl reboot"],
    not_match: ["systemctl status"],
  }),
  rule("crontab-remove", "ask", "it removes all scheduled jobs", {
    command: ["crontab", "-r"],
    match: ["crontab -r", "crontab -ir"],
    not_match: ["crontab -l"],
  }),
];

function rule(
  id: string,
  decision: "deny" | "ask",
  reason: string,
  rest: Pick<Rule, "command" | "match" | "not_match">,
): Rule {
  return { id: `disaster.${id}`, ...rest, decision, reason };
}
