import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that some tests drive, the Debian package each comes with, and what cannot be tested without it. */
const NEEDED = [
  { program: "tmux", package: "tmux", for: "the REPL in a real terminal" },
  { program: "bwrap", package: "bubblewrap", for: "commands and MCP servers in a sandbox" },
  { program: "chromium", package: "chromium", for: "the browser tools and the web console" },
  { program: "nats-server", package: "nats-server", for: "the fleet" },
  { program: "strace", package: "strace", for: "power cuts and slow disks" },
  { program: "openssl", package: "openssl", for: "the fleet over TLS" },
] as const;

/**
 * Installs what the tests need and this machine lacks. Where that cannot be done it says what will be skipped and how to
 * get it; with CI=true it ends the process instead, since there nothing may be skipped.
 */
export function installSystemPackages(): void {
  const missing = NEEDED.filter(({ program }) => !isThere(program));
  if (missing.length === 0) return;
  const packages = missing.map((one) => one.package);
  const command = `apt-get install -y --no-install-recommends ${packages.join(" ")}`;
  if (process.getuid?.() === 0 && isThere("apt-get")) install(packages);
  const still = missing.filter(({ program }) => !isThere(program));
  if (still.length === 0) return;
  for (const one of still) console.log(`skipped: ${one.for} (needs ${one.program}; as root: ${command})`);
  if (process.env["CI"] === "true") {
    console.error("with CI=true nothing may be skipped");
    process.exit(1);
  }
}

function install(packages: readonly string[]): void {
  const aptGet = (...args: readonly string[]): boolean =>
    spawnSync("apt-get", args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  console.log(`installing ${packages.join(", ")}`);
  const add = ["install", "-y", "--no-install-recommends", ...packages];
  if (!aptGet(...add)) void (aptGet("update") && aptGet(...add));
}

function isThere(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
