#!/usr/bin/env node
// Plain JavaScript that any Node can read, so that one that is too old gets a message.
"use strict";
const { join } = require("path");

const NEEDED = [22, 19];
const [major, minor] = process.versions.node.split(".").map(Number);
const isNewEnough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);

if (isNewEnough) {
  const root = join(__dirname, "..");
  const program = join(root, "dist", "tool-server.js");
  // In a sandbox it can only be read: src/app/host/store-compiled-server.ts has it written.
  require("module").enableCompileCache(join(root, "node_modules", ".cache", "toolwright"));
  void import(require("url").pathToFileURL(program).href)
    .then(({ main }) => main(process.argv.slice(2), process))
    .then((code) => process.exit(code));
} else {
  process.stderr.write(
    `toolwright-tool-server: needs Node ${NEEDED.join(".")} or newer, this is ${process.versions.node}\n`,
  );
  process.exitCode = 1;
}
