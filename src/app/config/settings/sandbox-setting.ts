import {
  boolean,
  integer,
  object,
  oneOf,
  optional,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";
import { hosts } from "./setting-values.ts";

/** Where programs run: see docs/sandbox.md. */
export const SANDBOX_KINDS = [
  "none",
  "auto",
  "bubblewrap",
  "srt",
  "seatbelt",
  "podman",
  "docker",
  "process",
] as const;
export type SandboxKind = (typeof SANDBOX_KINDS)[number];

export const SANDBOX_OPTIONS = object({
  network: optional(boolean("True: programs in the sandbox can reach the network"), false),
  runsUnasked: optional(
    boolean(
      "True: in mode auto and edits, commands run without approval in a sandbox without network; what is denied stays denied",
    ),
    false,
  ),
  domains: optional(
    hosts(
      "With bubblewrap or srt: hosts that programs may reach through a proxy; *.example.com is every subdomain",
    ),
    [],
  ),
  workspace: optional(
    oneOf(
      ["write", "copy"],
      "write: programs change the workspace itself; copy: they change a copy, see toolwright sandbox; all file tools then work on the copy too",
    ),
    "write",
  ),
  tools: optional(
    oneOf(
      ["programs", "all"],
      "programs: tools that run programs work in the sandbox; all: those that read and change files, too",
    ),
    "programs",
  ),
  memoryMb: optional(
    integer("Memory of each process, and of all together where the system allows that (MB)", { min: 256 }),
    4096,
  ),
  processes: optional(integer("How many processes run at the same time", { min: 16, max: 100_000 }), 4096),
  tmpMb: optional(integer("Size of the private /tmp and home folder, each (MB)", { min: 1 }), 1024),
  mounts: optional(
    boolean(
      "With podman or docker: false copies the workspace into the container and back, for an engine on another machine; needs image, and workspace: copy",
    ),
    true,
  ),
  image: optional(
    string(
      "With podman or docker: an image that contains toolwright-tool-server; default: the programs of this machine",
      { min: 1 },
    ),
  ),
});
export type SandboxOptions = Infer<typeof SANDBOX_OPTIONS>;
