// Starts one of the programs in libexec/. CommonJS starts a few milliseconds sooner than an ES module.
"use strict";
const { load, storeCode, useCodeOf } = require("./program.js");

const [name, ...args] = process.argv.slice(2);

useCodeOf(`libexec-${name}`);
const { PROGRAMS, runProgram } = load("libexec.js");
const own = {
  env: process.env,
  cwd: () => process.cwd(),
  get version() {
    return require("../package.json").version;
  },
};
void runProgram(PROGRAMS[name], args, own).then((code) => {
  storeCode();
  process.exit(code);
});
