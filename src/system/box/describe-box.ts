import type { WorkingBox } from "./types.ts";

/** Says what sandboxes of a kind that works here protect; on macOS, where that was not tried, only what they do not. */
export function describeProtection({ hasFilter = false, weakness }: WorkingBox): string {
  const filter = hasFilter ? "yes" : "no, this kernel or processor has none";
  const parts =
    process.platform === "linux"
      ? [
          `filter of system calls: ${filter}`,
          "/proc and /sys covered for root: yes",
          "network namespace: yes",
        ]
      : [];
  return [...parts, ...(weakness === undefined ? [] : [weakness])].join("; ");
}
