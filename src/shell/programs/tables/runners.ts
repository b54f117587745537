import { isStandardInput } from "../../syntax/shell-arguments.ts";
import { mountedPaths } from "./argument-paths.ts";
import { program, programs, RUNS_REST, usage, usages } from "./lines.ts";
import type { Program, Usage } from "./program.ts";

const RUNS_PACKAGE: Usage = { ...RUNS_REST, ungrantable: "package runner" };
const IN_CLUSTER: Usage = { ...RUNS_REST, starts: [{ kind: "rest", skip: 1, isRemote: true, shell: "fed" }] };
const TASK: Usage = { ungrantable: "task runner" };
const CODE: Usage = { ungrantable: "interpreter" };

/** Some flags for a compiler or linker name another one. */
const GO_BUILDS = `looks
  ~ -C,--C=d -overlay,--overlay=r -modfile,--modfile=r
  > -o,--o=w -coverprofile,--coverprofile=w -cpuprofile,--cpuprofile=w -memprofile,--memprofile=w
  -blockprofile,--blockprofile=w -mutexprofile,--mutexprofile=w -trace,--trace=w
  -outputdir,--outputdir=w -pkgdir,--pkgdir=w
  ! -exec,--exec=x -toolexec,--toolexec=x -vettool,--vettool=x -ldflags,--ldflags= -gcflags,--gcflags=
  -asmflags,--asmflags= -gccgoflags,--gccgoflags=`;
const CARGO = `looks
  -q,--quiet -v,--verbose --locked --offline --frozen -V,--version --list
  ~ -C=d --manifest-path=r
  ! --config= -Z=`;
const RUNNER = `none
  -y,--yes --no-install --quiet,-q --silent,-s --ignore-existing --prefer-offline --offline
  -w,--workspace= --workspaces --bun -v,--verbose --with= --python,-p= --no-cache --isolated --refresh
  ~ --package= --from= --spec= --registry= --prefix=d -C,--dir,--cwd,--directory=d
  ! -c,--call,--shell-mode=x --userconfig=r --globalconfig=r --script-shell=x --node-options= --git=x`;
const SYSTEM_PACKAGES = "looks ! -o,--option=x --pre-invoke=x --post-invoke=x";
/** Valid before and after a subcommand. */
const MANAGER = `looks
  -s,--silent -v,--version -h,--help --json
  ~ -C,--prefix,--dir,--cwd=d -w,--workspace=d --registry=
  ! --workspaces --include-workspace-root -r,--recursive --filter= --userconfig=r --globalconfig=r
  --script-shell=x --node-options= --git=x --editor=x --viewer=x`;
const IN_CONTAINER = usage(
  `none
  -i,--interactive -t,--tty -d,--detach --rm --privileged -e,--env= -u,--user= --name= --network,--net=
  -p,--publish= -P --entrypoint= -l,--label= --platform= --pull= -q,--quiet --init --restart=
  -m,--memory= --cpus= -h,--hostname= --add-host= --cap-add= --cap-drop= --security-opt= --gpus=
  --shm-size= --ulimit= --tmpfs= --read-only --ipc= --pid= --userns= --group-add= --device= --dns=
  --expose= --link= --log-driver= --stop-signal= -a,--attach= --sig-proxy=? --no-deps -T
  ~ --env-file=r -w,--workdir=
  > -v,--volume= --mount= --volumes-from= --cidfile=w`,
  { ...IN_CLUSTER, paths: mountedPaths },
);
const COMPOSE = "looks ~ -f,--file=r -p,--project-name= --env-file=r --profile= --project-directory=d";

/** Programs that run code in their own language, of packages and projects, and in containers. */
export const runners = (): readonly Program[] => [
  ...programs(
    {
      "python python3 pypy jython micropython ipython": `script
        -b -B -d -E -h,--help -i -I -O -q -s -S -u -v -V,--version -W= -x -X= --check-hash-based-pycs=
        ! -c= -m=`,
      "node nodejs iojs": `script
        -v,--version -h,--help --watch --test --no-warnings --enable-source-maps -i,--interactive
        -C,--conditions= --inspect=? --max-old-space-size=? --check,-c
        ~ --env-file=r
        ! -e,--eval= -p,--print= -r,--require=r --import=r --loader,--experimental-loader=r --run=`,
    },
    { ...CODE, stopsAtOperand: true },
  ),
  program(
    "perl raku",
    `pattern
    -a -c -C=? -d=? -D=? -f -F= -h -l=? -n -p -s -S -t -T -u -U -v -V=? -w -W -x=? -X -0=?
    > -i=?
    ! -e= -E= -I=r -m= -M=`,
    { ...CODE, inPlace: ["-i"], patternFlags: ["-e", "-E"] },
  ),
  program(
    "awk gawk mawk nawk original-awk goawk",
    `pattern
    -F,--field-separator= -v,--assign= -b,--characters-as-bytes -c,--traditional -S,--sandbox
    -O,--optimize -P,--posix -r,--re-interval -n,--non-decimal-data -V,--version
    ~ -f,--file=r -E,--exec=r
    > -o,--pretty-print=w? -d,--dump-variables=w? -p,--profile=w?
    ! -i,--include=r -l,--load=r -e,--source=`,
    {
      ...CODE,
      patternFlags: ["-f", "-E", "-e"],
      readsInBox: true,
      // Comparisons are no redirects, but awk takes one after print as such.
      proves: ({ operands: [code] }) =>
        code !== undefined && !/ARG[CV]|ENVIRON|PROCINFO|close|print[^;}\n]*>/.test(code.text),
      lists: ({ operands }) =>
        operands
          .slice(0, 1)
          .filter(({ text }) =>
            /system|getline|[|>]|@/.test(text.replaceAll(/\|\||(?<=[\w)\]] ?)>=? ?\d+/g, "")),
          ),
    },
  ),
  ...programs(
    {
      "ruby irb jruby": `script
        -a -c -d -h -l -n -p -s -S -v,--version -w -W=? -x=? -0=? -E= -F= -K=
        > -i=?
        ! -e= -r= -I=r -C=d`,
      "deno bun": "script",
      "tsx ts-node esno vite-node babel-node coffee qjs d8 js rhino osascript wscript cscript": "script",
      "php lua luajit tclsh wish expect julia Rscript R octave bc dc gnuplot m4": "script",
      "guile racket scheme sbcl clisp emacs ocaml ghci runghc runhaskell erl escript elixir iex": "script",
      "groovy scala kotlin jshell java mono swift dart crystal nim zig v": "script",
      dotnet: "script",
      "vi vim nvim ex ed view rvim nano pico emacsclient micro helix hx code subl":
        "write -b -R -n -e -s -E ! -c= --cmd= -S=r -u=r",
      "sqlite3 psql mysql mariadb mongo mongosh redis-cli duckdb clickhouse": "looks",
    },
    CODE,
  ),
  program("go", "looks ~ -C,--C=d", {
    hasWordFlags: true,
    subcommands: {
      "run generate tool": usage(GO_BUILDS, CODE),
      "build install test vet list get mod fmt": usage(GO_BUILDS),
      "env version": usage("none -json --json -changed --changed -m --m -v --v > -w --w -u --u"),
    },
  }),
  program("cargo", CARGO, {
    subcommands: { "run r bench b install script": usage(CARGO, CODE), "tree metadata": usage(CARGO) },
  }),
  // With `-Bdir`, the compiler finds its own programs there.
  program(
    "gcc cc clang g++ c++ clang++",
    `looks
    > -o,--output=w
    ! -wrapper=x -fplugin= -fpass-plugin= -load= -specs=r --specs=r -B=r --sysroot=r -fuse-ld=`,
    {
      hasWordFlags: true,
      lists: ({ unknown }) => unknown.filter(({ text }) => /^-B./.test(text)),
      // Code on standard input includes files by their names.
      readsNames: ({ operands }) => operands.some(({ text }) => isStandardInput(text)),
    },
  ),
  program("npx uvx pnpx bunx dlx jbang", RUNNER.replace(" ! ", " -p= ! "), RUNS_PACKAGE),
  program("npm pnpm yarn cnpm", MANAGER, {
    // yarn and pnpm treat an unknown subcommand as the name of a script.
    ungrantable: "package runner",
    subcommands: {
      "run run-script rum urn test t tst start stop restart": usage(MANAGER, TASK),
      "exec x dlx": usage(RUNNER, RUNS_PACKAGE),
      "create init": usage(MANAGER, { ungrantable: "package runner" }),
      "install i add ci update up upgrade remove rm uninstall un link dedupe audit rebuild": usage(MANAGER),
      "publish pack": usage(MANAGER, { operands: "maybe-read" }),
      "ls list la ll view info show outdated search why explain help bin root prefix config get set cache login logout token version":
        usage(MANAGER, { operands: "none" }),
    },
  }),
  program("pip pip3 pipx uv poetry pipenv pdm hatch rye conda-build", "looks", {
    subcommands: {
      run: usage(RUNNER, RUNS_REST),
      runpip: usage("looks", { ungrantable: "wrapper" }),
      shell: usage("looks", { starts: [{ kind: "rest", shell: "fed" }], ungrantable: "wrapper" }),
      tool: usage("looks", { subcommands: { run: usage(RUNNER, RUNS_PACKAGE) } }),
      ...usages({
        "install add sync download uninstall remove lock update": `looks
          ~ -r,--requirement=r -c,--constraint=r -e,--editable=r --index-url,-i= --extra-index-url=
          > -t,--target=w --prefix=w --root=w -d,--dest=w`,
        "list freeze show check": "none --format= -o,--outdated -v --local -l --user",
      }),
    },
  }),
  program("bundle bundler", "looks", {
    subcommands: { exec: usage("none --keep-file-descriptors --gemfile=r", RUNS_REST) },
  }),
  program(
    "make gmake bmake",
    `none
    -b -B,--always-make -d --debug=? -i,--ignore-errors -j,--jobs=? -k,--keep-going -l,--load-average=?
    -L -n,--just-print,--dry-run,--recon -O,--output-sync=? -p,--print-data-base -q,--question
    -r,--no-builtin-rules -R,--no-builtin-variables -s,--silent,--quiet -S -t,--touch --trace
    -v,--version -w,--print-directory --no-print-directory -W= --warn-undefined-variables
    ~ -C,--directory=d -f,--file,--makefile=r -I,--include-dir=r -o,--old-file=
    ! -e,--environment-overrides -E,--eval=x`,
    {
      ...TASK,
      lists: ({ operands }) => operands.filter(({ text }) => /^[^=]*=/.test(text)),
      starts: [{ kind: "values" }],
    },
  ),
  ...programs(
    {
      "cmake ninja meson just rake ant gradle scons cabal stack": "looks",
      "task gradlew mvn mvnw sbt lein bazel bazelisk buck waf": "looks",
      "gulp grunt turbo nx lerna moon wireit lefthook husky": "looks",
      "tox nox invoke fab doit pre-commit composer mix rebar3 mask": "looks",
    },
    TASK,
  ),
  program("nix", "looks ! -c,--command", {
    starts: [{ kind: "until", flags: ["-c"] }],
    ungrantable: "package runner",
  }),
  ...programs(
    {
      "nix-shell": "looks ! --run=x --command=x",
      "apt apt-get aptitude dpkg": SYSTEM_PACKAGES,
      "yum dnf rpm zypper pacman apk brew port snap flatpak nix-env choco winget scoop": SYSTEM_PACKAGES,
      "gem cpan cpanm luarocks opam": SYSTEM_PACKAGES,
    },
    { ungrantable: "package runner" },
  ),
  program(
    "docker podman nerdctl finch",
    "looks -D,--debug -H,--host= -c,--context= -l,--log-level= --tls ! --config=r",
    {
      subcommands: {
        "run exec create": IN_CONTAINER,
        container: usage("looks", { subcommands: { "run exec create": IN_CONTAINER } }),
        compose: usage(COMPOSE, { subcommands: { "run exec": IN_CONTAINER } }),
        ...usages({
          cp: "remote",
          "build buildx": "looks ~ -f,--file=r --build-arg= -t,--tag= --secret= > -o,--output=w --iidfile=w",
          "load import": "looks ~ -i,--input=r",
          save: "none > -o,--output=w",
        }),
      },
    },
  ),
  program("docker-compose podman-compose", COMPOSE, { subcommands: { "run exec": IN_CONTAINER } }),
  // A config names programs that provide credentials.
  program("kubectl oc k3s microk8s", "looks -n,--namespace= --context= -v= ! --kubeconfig=r", {
    subcommands: {
      exec: usage(
        `none
        -i,--stdin -t,--tty -c,--container= -n,--namespace= -q,--quiet
        ~ -f,--filename=r
        ! --kubeconfig=r`,
        IN_CLUSTER,
      ),
      cp: usage("remote"),
      "apply create delete replace patch edit run debug": usage(
        `looks
        --from-file= --from-literal=
        ~ -f,--filename=r -k,--kustomize=r --from-env-file=r --key=r --cert=r
        ! --kubeconfig=r`,
      ),
    },
  }),
  ...programs(
    {
      helm: "looks ! --kubeconfig=r --post-renderer=x",
      "terraform ansible ansible-playbook pulumi": "looks",
    },
    { ungrantable: "wrapper" },
  ),
  ...programs(
    { "lxc lxc-attach multipass vagrant limactl distrobox toolbox wsl machinectl": "looks" },
    { ...RUNS_REST, starts: [{ kind: "rest", isAnywhere: true, isRemote: true, shell: "fed" }] },
  ),
];
