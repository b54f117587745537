import { sandboxEscapes } from "../support/sandboxes/sandbox-escapes.ts";

// `test/long/sandbox-escapes.test.ts` tries every kind.
sandboxEscapes(["read-only", "browser"]);
