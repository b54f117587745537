import { resolve } from "node:path";
import { isWithin } from "../../../util/text/paths/is-within.ts";

/** Where a command runs, and for whom. */
export interface Place {
  readonly cwds: readonly string[];
  readonly home?: string | undefined;
}

/** Returns true for the root, a home, a system folder, or everything in one of them. */
export function isRuinous(text: string, { cwds, home }: Place): boolean {
  if (/^(?:~[\w.-]*|\$\{?(?:HOME|PWD|OLDPWD)\}?)(?:\/+(?:\.?\*|\.)?)*$/.test(text)) return true;
  if (/^\.{1,2}(?:\/+\.{0,2})*$/.test(text)) return true;
  if (/^[A-Za-z]:[\\/]*\*?$/.test(text)) return true;
  if (text.startsWith("/")) return isSystemFolder(text, home);
  return text !== "" && cwds.some((cwd) => isSystemFolder(`${cwd}/${text}`, home));
}

/** Returns true for a pattern that matches everything in the current folder. */
export function isEverythingHere(text: string): boolean {
  return /^(?:\.\/+)?(?:\*|\.\*|\{\*,\.\*\}|\.\[!\.\]\*)$/.test(text);
}

/** Returns true for a disk device, or one that accesses the memory or the kernel. */
export function isDisk(text: string, cwd: string): boolean {
  return DISK.test(resolve("/", cwd, text));
}

const DISK =
  /^\/(?:dev\/(?:(?:[shv]d|xvd)[a-z]+\d*|nvme\d+(?:n\d+(?:p\d+)?)?|mmcblk\d+(?:p\d+)?|r?disk\d+(?:s\d+)*|dm-\d+|md\d+|loop\d+|sr\d+|zram\d+|mapper\/.+|disk\/.+|mem|kmem|port|nvram)|proc\/(?:sysrq-trigger|kcore)|proc\/sys\/kernel\/.+)$/;

const SYSTEM_FOLDERS: ReadonlySet<string> = new Set(
  "bin boot dev etc home lib lib32 lib64 media mnt opt proc root run sbin srv sys usr var Applications Library System Users Volumes cores private nix snap".split(
    " ",
  ),
);

/** Nested system folders. */
const DEEP_FOLDERS =
  /^\/(?:usr|var|private)\/(?:bin|etc|lib|lib64|lib32|libexec|local|sbin|share|log|run|var|cache)$|^\/(?:home|Users)\/[^/]+$/;

function isSystemFolder(text: string, home: string | undefined): boolean {
  const path = resolve("/", text).replace(/\/(?:\.?\*|\{\*,\.\*\})$/, "") || "/";
  if (path === "/" || DEEP_FOLDERS.test(path) || (home !== undefined && isWithin(home, path))) return true;
  const [, first = "", ...rest] = path.split("/");
  return rest.length === 0 && SYSTEM_FOLDERS.has(first);
}
