const NEEDED = [22, 19] as const;

/** What the bundle loads first: an older Node would fail with an error that does not name the cause. Other runtimes have no such version. */
const version = isNode() ? process.versions.node : undefined;
if (version !== undefined && isOlder(version)) {
  throw new Error(`toolwright needs Node ${NEEDED.join(".")} or later; this is Node ${version}`);
}

function isNode(): boolean {
  return typeof process === "object" && process.release?.name === "node" && !("bun" in process.versions);
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
}
