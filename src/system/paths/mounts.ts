import { readFile } from "node:fs/promises";
import { isWithin } from "../../util/text/paths/is-within.ts";

/** Returns the mount points at and below a canonical path; empty if the system does not list them. */
export async function mountsUnder(path: string): Promise<readonly string[]> {
  const text = await readFile("/proc/self/mountinfo", "utf8").catch(() => "");
  return parseMountPoints(text).filter((point) => isWithin(point, path));
}

/** Parses the mount points in mountinfo; special characters are octal escapes. */
export function parseMountPoints(mountinfo: string): readonly string[] {
  const fromOctal = (_: string, octal: string): string => String.fromCharCode(Number.parseInt(octal, 8));
  return mountinfo.split("\n").flatMap((line) => {
    const point = line.split(" ")[4];
    return point === undefined ? [] : [point.replaceAll(/\\([0-7]{3})/g, fromOctal)];
  });
}
