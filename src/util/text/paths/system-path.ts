/** Folders of programs, libraries, documentation and settings of the operating system. */
const FOLDERS =
  /^\/(?:usr|bin|sbin|lib|lib32|lib64|libx32|etc|nix\/store|run\/systemd\/resolve)(?:\/|$)(?!(?:.*\/)?\.\.(?:\/|$))/;

/** Files of the kernel that describe the machine, and no process. */
const FILES: ReadonlySet<string> = new Set(
  "cpuinfo devices diskstats filesystems loadavg meminfo modules partitions stat swaps uptime version vmstat"
    .split(" ")
    .map((name) => `/proc/${name}`),
);

/** Returns true for a path in a folder of the operating system by its name, which may still be a link: programs, libraries, `/etc`, `/proc/cpuinfo`. */
export function isSystemPath(path: string): boolean {
  return FOLDERS.test(path) || FILES.has(path);
}
