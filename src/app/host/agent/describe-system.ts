import { existsSync, realpathSync } from "node:fs";
import { arch, release, type } from "node:os";
import { basename } from "node:path";
import { findProgram } from "../../../system/box/find-program.ts";
import { readDocument } from "../../../system/files/read-document.ts";
import { attempt } from "../../../util/async/attempt.ts";
import type { ConfigGroups } from "../../config/groups.ts";

/** Programs that a model asks for before it uses them. */
const PROGRAMS = "node npm pnpm python3 uv git rg jq make gcc go cargo java docker".split(" ");
const MAX_BYTES = 64 * 1024;

/** Returns the operating system, the shell and the programs on the PATH. Starts no program. */
export function describeSystem(searchPath: string): string {
  const shell = existsSync("/bin/bash") ? "bash" : "sh";
  const programs = PROGRAMS.flatMap((name) => describeProgram(name, searchPath) ?? []);
  const programList = programs.length === 0 ? "" : `; on the PATH: ${programs.join(", ")}`;
  return `${distribution()}${type()} ${release()}, ${arch()}; shell: ${shell}${programList}`;
}

function distribution(): string {
  const text = attempt(() => readDocument("/etc/os-release", { maxBytes: MAX_BYTES })?.toString()) ?? "";
  const name = /^PRETTY_NAME="?([\w ./()-]{1,60})"?$/m.exec(text)?.[1];
  return name === undefined ? "" : `${name}, `;
}

/** Returns the name of a program, with its version if the path of its file has it: `node 24.21.0`, `python3.11`. */
function describeProgram(name: string, searchPath: string): string | undefined {
  const file = findProgram(name, searchPath);
  if (file === undefined) return undefined;
  const real = attempt(() => realpathSync(file)) ?? file;
  if (name === "node" && real === process.execPath) return `node ${process.versions.node}`;
  if (/^[a-z]+\d+[.\d]*$/.test(basename(real))) return basename(real);
  const version = /\/v?(\d+\.\d+\.\d+)\//.exec(real)?.[1];
  return version === undefined ? name : `${name} ${version}`;
}

/** Returns where programs run and what they cannot do there. */
export function describeSandbox(sandbox: string, config: ConfigGroups<"sandbox">): string {
  const { network, domains, workspace, memoryMb, processes, image } = config.sandbox.options;
  if (sandbox === "none") return "none: programs run on this machine, as its user";
  if (sandbox === "process") return "process: programs run apart from this one, and nothing isolates them";
  const reaches = domains.length === 0 ? "no network" : `network only to ${domains.slice(0, 20).join(", ")}`;
  const ownFolders = sandbox === "seatbelt" ? [] : ["a /tmp and home folder of their own"];
  const parts = [
    `they change only ${workspace === "copy" ? "a copy of the workspace" : "the workspace"}`,
    ...ownFolders,
    network ? "network" : reaches,
    `at most ${memoryMb} MB and ${processes} processes`,
    ...(image === undefined || ownFolders.length === 0 ? [] : [`the system of the image ${image}`]),
  ];
  return `programs run in ${sandbox}: ${parts.join(", ")}; outside_sandbox: true asks for approval to run one outside`;
}
