// Starts one of the programs in libexec/: CommonJS, and its code in one file, as that starts some twenty milliseconds sooner.
"use strict";
const { readFileSync } = require("fs");
const { join } = require("path");

const root = join(__dirname, "..");
const [name, ...args] = process.argv.slice(2);

// Kept beside the package: whoever can write there can change the program anyway.
require("module").enableCompileCache(join(root, "node_modules", ".cache", "toolwright"));
const { program, runProgram } = require(join(root, "dist", "libexec", `${name}.cjs`));
const own = {
  env: process.env,
  cwd: () => process.cwd(),
  get version() {
    return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
  },
};
runProgram(program, args, own).then((code) => process.exit(code));
