// CommonJS, because only `require` loads a package synchronously on first use; bundlers include what it names.
"use strict";

const PACKAGES = {
  ajv: () => require("ajv"),
  "ajv/dist/2019.js": () => require("ajv/dist/2019.js"),
  "ajv/dist/2020.js": () => require("ajv/dist/2020.js"),
};

exports.loadPackage = (name) => PACKAGES[name]();
