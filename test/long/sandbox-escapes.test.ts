// Over 300 attempts to get out of every kind of sandbox, as root and as an ordinary user: about half a minute.
import { sandboxEscapes } from "../support/sandboxes/sandbox-escapes.ts";

sandboxEscapes([
  "read-only",
  "MCP server",
  "browser",
  "bubblewrap",
  "bubblewrap with file tools",
  "bubblewrap with domains",
  "srt",
  "podman",
  "docker",
  "process",
]);
