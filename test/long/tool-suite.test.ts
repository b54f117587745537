// About half a minute.
import { toolSuite } from "../support/tool-suite.ts";

await toolSuite(["process", "bubblewrap", "srt", "podman"]);
