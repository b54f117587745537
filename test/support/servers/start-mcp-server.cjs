// Starts mcp-server.ts with a cache of what it compiles to: tests start it hundreds of times, and most of each start was compiling it.
"use strict";
const { join } = require("node:path");

require("node:module").enableCompileCache(join(__dirname, "../../../node_modules/.cache/tests"));
void import("./mcp-server.ts");
