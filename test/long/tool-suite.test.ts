// About half a minute.
import { toolSuite } from "../support/examples/tool-suite.ts";

await toolSuite(["process", "bubblewrap", "srt", "podman"]);
