import { readFile } from "node:fs/promises";
import { isWithin } from "./within.ts";

/** The mount points at a canonical path and below it; none where the system does not tell. */
export async function mountsUnder(path: string): Promise<readonly string[]> {
  const text = await readFile("/proc/self/mountinfo", "utf8").catch(() => "");
  return parseMountPoints(text).filter((point) => isWithin(point, path));
}

/** The mount points that Linux lists; what is special in their names is written as octal numbers. */
export function parseMountPoints(mountinfo: string): readonly string[] {
  return mountinfo.split("\n").flatMap((line) => {
    const point = line.split(" ")[4];
    return point === undefined
      ? []
      : [point.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => fromOctal(octal))];
  });
}

function fromOctal(octal: string): string {
  return String.fromCharCode(Number.parseInt(octal, 8));
}
