import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "../../../../test/support/generators/command-words.ts";
import { changedSettings } from "./system-settings.ts";

for (const [command, path] of [
  ["crontab -", "/var/spool/cron"],
  ["crontab", "/var/spool/cron"],
  ["crontab -u root f", "/var/spool/cron"],
  ["crontab -l", undefined],
  ["crontab -u root -l", undefined],
  ["at now", "/var/spool/cron"],
  ["batch", "/var/spool/cron"],
  ["at -l", undefined],
  ["systemctl enable --now x", "/etc/systemd"],
  ["systemctl --user link ./x.service", "/etc/systemd"],
  ["systemctl set-property x A=b", "/etc/systemd"],
  ["systemctl restart x", undefined],
  ["systemctl list-units", undefined],
  ["systemctl --user is-enabled x", undefined],
  ["loginctl enable-linger", "/var/lib/systemd/linger"],
  ["loginctl list-users", undefined],
  ["launchctl load x.plist", "/Library/LaunchAgents"],
  ["update-rc.d x defaults", "/etc/init.d"],
  ["chkconfig --list", undefined],
  ["useradd x", "/etc/passwd"],
  ["chsh -s /bin/x", "/etc/passwd"],
  ["passwd", "/etc/passwd"],
  ["passwd -S", undefined],
  ["useradd --help", undefined],
  ["visudo", "/etc/sudoers"],
  ["visudo -c", undefined],
  ["update-alternatives --set a b", "/etc/alternatives"],
  ["update-alternatives --list a", undefined],
  ["ldconfig", "/etc/ld.so.cache"],
  ["ldconfig -p", undefined],
  ["update-ca-certificates", "/etc/ssl/certs"],
  ["hostnamectl set-hostname x", "/etc/hostname"],
  ["hostnamectl", undefined],
  ["timedatectl set-time x", "/etc/localtime"],
  ["timedatectl status", undefined],
  ["kexec -l x", "/boot"],
  ["/sbin/modprobe x", "/proc/modules"],
  ["modprobe -n x", undefined],
  ["insmod ./x.ko", "/proc/modules"],
  ["sysctl -w a.b=1", "/proc/sys"],
  ["sysctl a.b=1", "/proc/sys"],
  ["sysctl -p", "/proc/sys"],
  ["sysctl a.b", undefined],
  ["sysctl -a", undefined],
  ["hostname x", "/proc/sys/kernel/hostname"],
  ["hostname -f", undefined],
  ["hostname", undefined],
  ["setenforce 0", "/sys/fs/selinux"],
  ["mount --bind a b", "/proc/mounts"],
  ["mount -a", "/proc/mounts"],
  ["mount", undefined],
  ["mount -l", undefined],
  ["umount a", "/proc/mounts"],
  ["swapon --show", undefined],
  ["swapon f", "/proc/mounts"],
  ["iptables -A INPUT -j DROP", "/proc/net/ip_tables_names"],
  ["iptables -t nat -F", "/proc/net/ip_tables_names"],
  ["iptables -L", undefined],
  ["iptables -S", undefined],
  ["nft flush ruleset", "/proc/net/ip_tables_names"],
  ["nft list ruleset", undefined],
  ["ufw allow 1", "/etc/ufw"],
  ["ufw status", undefined],
  ["firewall-cmd --add-port=1/tcp", "/etc/firewalld"],
  ["firewall-cmd --list-all", undefined],
  ["apt-get install -y x", undefined],
  ["ls crontab", undefined],
] as const)
  test(`${command} changes ${path ?? "no setting of the system"}`, () => {
    const found = changedSettings(commandOf(command));
    assert.deepEqual(
      found.map(({ word, access }) => [word.text, access]),
      path === undefined ? [] : [[path, "write"]],
    );
  });

test("arguments that are still to be expanded may change a setting", () => {
  const { words, ...rest } = commandOf("systemctl status");
  const open = words.map(({ text }, index) => ({ text, literal: index === 0 }));
  assert.equal(changedSettings({ ...rest, words: open }).length, 1);
});
