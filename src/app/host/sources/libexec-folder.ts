import { fileURLToPath } from "node:url";

/** Where the package's stand-alone programs are: what the profile `external` scans in place of the built-in tools. */
export function libexecFolder(): string {
  return fileURLToPath(new URL("../../../../libexec", import.meta.url));
}
