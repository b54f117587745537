import { sandboxAttacks } from "../support/sandboxes/sandbox-attacks.ts";
import { sandboxContract } from "../support/sandboxes/sandbox-contract.ts";

// The other kinds start more slowly, and are in test/long/sandbox-kinds.test.ts.
await sandboxContract("bubblewrap");
await sandboxContract("process");
await sandboxAttacks("bubblewrap");
