import type { Word } from "../../../core/command.ts";
import type { FoundPath, Program, Usage, Use } from "./program.ts";

const CONTAINER_FLAGS =
  "-i,--interactive -t,--tty -d,--detach --rm --privileged -e,--env= -u,--user= --name= --network,--net= -p,--publish= -P --entrypoint= -l,--label= --platform= --pull= -q,--quiet --init --restart= -m,--memory= --cpus= -h,--hostname= --add-host= --cap-add= --cap-drop= --security-opt= --gpus= --shm-size= --ulimit= --tmpfs= --read-only --ipc= --pid= --userns= --group-add= --device= --dns= --expose= --link= --log-driver= --stop-signal= -a,--attach= --sig-proxy=? --no-deps -T";
const IN_CONTAINER: Usage = {
  flags: {
    safe: CONTAINER_FLAGS,
    opaque: "--env-file=r -w,--workdir=",
    writes: "-v,--volume= --mount= --volumes-from= --cidfile=w",
  },
  operands: "none",
  paths: mountedPaths,
  stopsAtOperand: true,
  starts: [{ kind: "rest", skip: 1, isRemote: true }],
  ungrantable: "wrapper",
};

/** Programs that run others in containers, clusters and virtual machines. */
export const CONTAINER_PROGRAMS: readonly Program[] = [
  {
    names: "docker podman nerdctl finch",
    flags: { safe: "-D,--debug -H,--host= -c,--context= -l,--log-level= --tls", executes: "--config=r" },
    operands: "looks",
    version: ["--version", "-v"],
    subcommands: {
      "run exec create": IN_CONTAINER,
      container: { operands: "looks", subcommands: { "run exec create": IN_CONTAINER } },
      compose: {
        flags: { opaque: "-f,--file=r -p,--project-name= --env-file=r --profile= --project-directory=d" },
        operands: "looks",
        subcommands: { "run exec": IN_CONTAINER },
      },
      cp: { operands: "remote" },
      "build buildx": {
        flags: {
          opaque: "-f,--file=r --build-arg= -t,--tag= --secret=",
          writes: "-o,--output=w --iidfile=w",
        },
        operands: "looks",
      },
      "load import": { flags: { opaque: "-i,--input=r" }, operands: "looks" },
      save: { flags: { writes: "-o,--output=w" }, operands: "none" },
    },
  },
  {
    names: "docker-compose podman-compose",
    flags: { opaque: "-f,--file=r -p,--project-name= --env-file=r --profile= --project-directory=d" },
    operands: "looks",
    subcommands: { "run exec": IN_CONTAINER },
  },
  {
    names: "kubectl oc k3s microk8s",
    // A config names programs that provide credentials.
    flags: { safe: "-n,--namespace= --context= -v=", executes: "--kubeconfig=r" },
    operands: "looks",
    subcommands: {
      exec: {
        flags: {
          safe: "-i,--stdin -t,--tty -c,--container= -n,--namespace= -q,--quiet",
          opaque: "-f,--filename=r",
          executes: "--kubeconfig=r",
        },
        operands: "none",
        stopsAtOperand: true,
        starts: [{ kind: "rest", skip: 1, isRemote: true }],
        ungrantable: "wrapper",
      },
      cp: { operands: "remote" },
      "apply create delete replace patch edit run debug": {
        flags: { opaque: "-f,--filename=r -k,--kustomize=r", executes: "--kubeconfig=r" },
        operands: "looks",
      },
    },
  },
  {
    names: "helm",
    flags: { executes: "--kubeconfig=r --post-renderer=x" },
    operands: "looks",
    ungrantable: "wrapper",
  },
  {
    names:
      "lxc lxc-attach multipass vagrant limactl distrobox toolbox wsl machinectl terraform ansible ansible-playbook pulumi",
    operands: "looks",
    ungrantable: "wrapper",
  },
];

/** Returns the mounted paths of this machine: writable, unless mounted read-only. */
function mountedPaths({ flags }: Use): readonly FoundPath[] {
  return flags.flatMap(({ flag, values }) => {
    if (flag.name === "-v") return values.flatMap(volumePath);
    return flag.name === "--mount" ? values.flatMap(mountPath) : [];
  });
}

/** Parses `HOST:CONTAINER:ro`; a host part that is not a path names a volume. */
function volumePath({ text, literal }: Word): readonly FoundPath[] {
  const [host = "", box, options = ""] = text.split(":");
  if (box === undefined || !/^[./~$]/.test(host)) return [];
  const isRead = options.split(",").includes("ro");
  return [{ word: { text: host, literal }, access: isRead ? "read" : "write" }];
}

/** Parses `type=bind,source=HOST,target=CONTAINER,readonly`. */
function mountPath({ text, literal }: Word): readonly FoundPath[] {
  const fields = text.split(",");
  const host = fields
    .map((field) => /^(?:src|source)=(.+)$/.exec(field)?.[1])
    .find((one) => one !== undefined);
  if (host === undefined || !/^[./~$]/.test(host)) return [];
  const isRead = fields.some((field) => /^(?:readonly|ro)(?:=true|=1)?$/.test(field));
  return [{ word: { text: host, literal }, access: isRead ? "read" : "write" }];
}
