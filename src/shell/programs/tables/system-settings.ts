import type { SimpleCommand } from "../../../core/command.ts";
import { baseName } from "../../syntax/shell-arguments.ts";
import type { FoundPath } from "./program.ts";

/** A setting of the system, the programs that change it, and when they do. */
interface Setting {
  /** Where it is; changing it counts as writing this path. */
  readonly path: string;
  readonly programs: string;
  /** Only with an argument that matches. Default: with any arguments. */
  readonly with?: RegExp;
  /** Not with an argument that matches: then it only shows the setting. */
  readonly unless?: RegExp;
}

const HELP = /^(?:--help|--version|-V)$/;

/** Settings that run code later, change permissions or the kernel, by programs whose arguments do not name the file. */
const SETTINGS: readonly Setting[] = [
  { path: "/var/spool/cron", programs: "crontab", unless: /^-[A-Za-z]*l/ },
  { path: "/var/spool/cron", programs: "at batch atrm", unless: /^-[lc]/ },
  {
    path: "/etc/systemd",
    programs: "systemctl",
    with: /^(?:enable|disable|reenable|preset(?:-all)?|mask|unmask|link|revert|add-wants|add-requires|edit|set-(?:default|property|environment)|(?:import|unset)-environment)$/,
  },
  { path: "/var/lib/systemd/linger", programs: "loginctl", with: /linger$/ },
  { path: "/Library/LaunchAgents", programs: "launchctl", with: /^(?:load|bootstrap|enable|submit)$/ },
  { path: "/etc/init.d", programs: "update-rc.d insserv" },
  { path: "/etc/init.d", programs: "chkconfig rc-update", unless: /^(?:--list|show|status)$/ },
  {
    path: "/etc/passwd",
    programs:
      "useradd adduser userdel deluser usermod groupadd addgroup groupdel delgroup groupmod gpasswd passwd chpasswd chgpasswd chsh chfn chage newusers vipw vigr",
    unless: /^(?:-S|--status|-l|--list)$/,
  },
  { path: "/etc/sudoers", programs: "visudo", unless: /^(?:-[A-Za-z]*c|--check)/ },
  {
    path: "/etc/alternatives",
    programs: "update-alternatives",
    with: /^--(?:install|remove|set|config|auto|all)/,
  },
  { path: "/etc/ld.so.cache", programs: "ldconfig", unless: /^(?:-[A-Za-z]*p|--print-cache)/ },
  { path: "/etc/ssl/certs", programs: "update-ca-certificates update-ca-trust" },
  { path: "/etc/hostname", programs: "hostnamectl", with: /^(?:set-|(?:hostname|chassis|icon-name)$)/ },
  { path: "/etc/localtime", programs: "timedatectl localectl", with: /^set-/ },
  {
    path: "/boot",
    programs: "update-grub grub-install grub2-install update-initramfs mkinitcpio dracut kexec",
  },
  {
    path: "/proc/modules",
    programs: "modprobe insmod rmmod",
    unless: /^(?:-n|-c|-D|--dry-run|--show-(?:depends|config)|--showconfig|--resolve-alias)/,
  },
  { path: "/proc/sys", programs: "sysctl", with: /^(?:-[A-Za-z]*[wpf]|--(?:write|load|system))|^[\w./-]+=/ },
  { path: "/proc/sys/kernel/hostname", programs: "hostname", with: /^(?:[^-]|-b|-F|--file|--boot)/ },
  { path: "/sys/fs/selinux", programs: "setenforce setsebool" },
  { path: "/proc/mounts", programs: "mount", with: /^(?:[^-]|-a|--all|--bind|--move)/ },
  { path: "/proc/mounts", programs: "umount swapoff pivot_root" },
  { path: "/proc/mounts", programs: "swapon", with: /^(?:[^-]|-a|--all)/ },
  { path: "/proc/net/ip_tables_names", programs: "iptables ip6tables", with: /^-(?:[ADIRFZXNPE]|-[a-z])/ },
  {
    path: "/proc/net/ip_tables_names",
    programs: "nft",
    with: /^(?:add|create|insert|delete|destroy|replace|flush|reset|-f)/,
  },
  { path: "/etc/ufw", programs: "ufw", unless: /^(?:status|show|version|app)$/ },
  { path: "/etc/firewalld", programs: "firewall-cmd", unless: /^--(?:state|list|get|info|query)/ },
];

const BY_PROGRAM: ReadonlyMap<string, readonly Setting[]> = Map.groupBy(
  SETTINGS.flatMap((setting) => setting.programs.split(" ").map((name) => ({ ...setting, programs: name }))),
  ({ programs }) => programs,
);

/** Returns the settings of the system that a command changes, as paths that it writes. */
export function changedSettings({ words: [program, ...given] }: SimpleCommand): readonly FoundPath[] {
  const settings = BY_PROGRAM.get(baseName(program?.text ?? ""));
  if (settings === undefined) return NONE;
  const texts = given.map(({ text }) => text);
  if (texts.length > 0 && texts.every((text) => HELP.test(text))) return NONE;
  const isOpen = given.some(({ literal }) => !literal);
  return settings.flatMap(({ path, with: changing, unless }) => {
    if (unless !== undefined && !isOpen && texts.some((text) => unless.test(text))) return [];
    if (changing !== undefined && !isOpen && !texts.some((text) => changing.test(text))) return [];
    return [{ word: { text: path, literal: true }, access: "write" }];
  });
}

const NONE: readonly FoundPath[] = [];
