import { toolSuite } from "../support/examples/tool-suite.ts";

// The other kinds are in test/long/tool-suite.test.ts.
await toolSuite(["bubblewrap"]);
