import { resolve } from "node:path";
import { probeBoxes } from "../../../src/system/box/box.ts";

const probe = await probeBoxes(process.env["PATH"] ?? "");

/** For a test's `skip` option: false where boxes can be made, and in CI, where a machine without them is a failure. */
export const withoutBoxes: string | false =
  probe.works || process.env["CI"] === "true" ? false : probe.reason;

/** What a test's own server needs of the disk. */
export const SERVER_FILES: readonly string[] = [
  resolve("test/support/servers/start-mcp-server.cjs"),
  resolve("test/support/servers/mcp-server.ts"),
  resolve("package.json"),
];
