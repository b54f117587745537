// Starts one of the programs in libexec/. CommonJS starts a few milliseconds sooner than an ES module.
"use strict";
const { join } = require("path");
const { pathToFileURL } = require("url");

const root = join(__dirname, "..");
const [name, ...args] = process.argv.slice(2);

// Beside the package: a user who can write there can change the program anyway.
require("module").enableCompileCache(join(root, "node_modules", ".cache", "toolwright"));
const own = {
  env: process.env,
  cwd: () => process.cwd(),
  get version() {
    return require("../package.json").version;
  },
};
void import(pathToFileURL(join(root, "dist", "libexec.js")).href)
  .then(({ PROGRAMS, runProgram }) => runProgram(PROGRAMS[name], args, own))
  .then((code) => process.exit(code));
