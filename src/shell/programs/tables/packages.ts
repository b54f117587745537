import type { Flags, Program, Usage } from "./program.ts";

const RUNNER_FLAGS: Flags = {
  safe: "-y,--yes --no-install --quiet,-q --silent,-s --ignore-existing --prefer-offline --offline -w,--workspace= --workspaces --bun -v,--verbose --with= --python,-p= --no-cache --isolated --refresh",
  opaque: "--package= --from= --spec= --registry= --prefix=d -C,--dir,--cwd,--directory=d",
  executes:
    "-c,--call,--shell-mode=x --userconfig=r --globalconfig=r --script-shell=x --node-options= --git=x",
};
const RUNS_PACKAGE: Usage = {
  flags: RUNNER_FLAGS,
  operands: "none",
  stopsAtOperand: true,
  starts: [{ kind: "rest" }],
  ungrantable: "package runner",
};
const RUNS_PROGRAM: Usage = { ...RUNS_PACKAGE, ungrantable: "wrapper" };
const RUNS_TASK: Usage = { operands: "looks", ungrantable: "task runner" };
const PACKAGE_RUNNER: Usage = {
  ...RUNS_PACKAGE,
  flags: { ...RUNNER_FLAGS, opaque: `${RUNNER_FLAGS.opaque} -p=` },
};
/** Valid before and after a subcommand. */
const MANAGER_FLAGS: Flags = {
  safe: "-s,--silent -v,--version -h,--help --json",
  opaque: "-C,--prefix,--dir,--cwd=d -w,--workspace=d --registry=",
  executes:
    "--workspaces --include-workspace-root -r,--recursive --filter= --userconfig=r --globalconfig=r --script-shell=x --node-options= --git=x --editor=x --viewer=x",
};
const PACKAGE_MANAGER: Usage = {
  flags: MANAGER_FLAGS,
  operands: "looks",
  // yarn and pnpm treat an unknown subcommand as the name of a script.
  ungrantable: "package runner",
  subcommands: {
    "run run-script rum urn test t tst start stop restart": { ...RUNS_TASK, flags: MANAGER_FLAGS },
    "exec x dlx": RUNS_PACKAGE,
    "create init": { flags: MANAGER_FLAGS, operands: "looks", ungrantable: "package runner" },
    "install i add ci update up upgrade remove rm uninstall un link dedupe audit publish pack rebuild": {
      flags: MANAGER_FLAGS,
      operands: "looks",
    },
    "ls list la ll view info show outdated search why explain help bin root prefix config get set cache login logout token version":
      { flags: MANAGER_FLAGS, operands: "none" },
  },
};
const PYTHON_MANAGER: Usage = {
  operands: "looks",
  subcommands: {
    run: RUNS_PROGRAM,
    "runpip shell": { operands: "looks", ungrantable: "wrapper" },
    tool: { operands: "looks", subcommands: { run: RUNS_PACKAGE } },
    "install add sync download uninstall remove lock update": {
      flags: {
        opaque: "-r,--requirement=r -c,--constraint=r -e,--editable=r --index-url,-i= --extra-index-url=",
        writes: "-t,--target=w --prefix=w --root=w -d,--dest=w",
      },
      operands: "looks",
    },
    "list freeze show check": {
      flags: { safe: "--format= -o,--outdated -v --local -l --user" },
      operands: "none",
    },
  },
};

/**
 * Package managers, and runners of code from packages and projects. Those without a `version` run code chosen by the
 * project even to print their version: another release of themselves, a plugin, a wrapper, options of their virtual machine.
 */
export const PACKAGE_PROGRAMS: readonly Program[] = [
  { ...PACKAGE_RUNNER, names: "npx uvx", version: ["--version"] },
  { ...PACKAGE_RUNNER, names: "pnpx bunx dlx jbang" },
  {
    ...PACKAGE_MANAGER,
    names: "npm",
    version: ["--version", "-v"],
  },
  { ...PACKAGE_MANAGER, names: "pnpm yarn cnpm" },
  { ...PYTHON_MANAGER, names: "pip pip3 pipx uv", version: ["--version", "-V"] },
  { ...PYTHON_MANAGER, names: "poetry pipenv pdm hatch rye conda-build" },
  {
    names: "bundle bundler",
    operands: "looks",
    subcommands: { exec: { ...RUNS_PROGRAM, flags: { safe: "--keep-file-descriptors --gemfile=r" } } },
  },
  {
    names: "make gmake bmake",
    flags: {
      safe: "-b -B,--always-make -d --debug=? -i,--ignore-errors -j,--jobs=? -k,--keep-going -l,--load-average=? -L -n,--just-print,--dry-run,--recon -O,--output-sync=? -p,--print-data-base -q,--question -r,--no-builtin-rules -R,--no-builtin-variables -s,--silent,--quiet -S -t,--touch --trace -v,--version -w,--print-directory --no-print-directory -W= --warn-undefined-variables",
      opaque: "-C,--directory=d -f,--file,--makefile=r -I,--include-dir=r -o,--old-file=",
      executes: "-e,--environment-overrides -E,--eval=x",
    },
    operands: "none",
    version: ["--version", "-v"],
    lists: ({ operands }) => operands.filter(({ text }) => /^[^=]*=/.test(text)),
    starts: [{ kind: "values" }],
    ungrantable: "task runner",
  },
  { ...RUNS_TASK, names: "cmake ninja meson just rake ant gradle scons cabal stack", version: ["--version"] },
  {
    ...RUNS_TASK,
    names:
      "task gradlew mvn mvnw sbt lein bazel bazelisk buck waf gulp grunt turbo nx lerna tox nox invoke fab composer mix rebar3 pre-commit lefthook husky doit mask moon wireit",
  },
  {
    names: "nix",
    flags: { executes: "-c,--command" },
    operands: "looks",
    version: ["--version"],
    starts: [{ kind: "until", flags: ["-c"] }],
    ungrantable: "package runner",
  },
  {
    names: "nix-shell",
    flags: { executes: "--run=x --command=x" },
    operands: "looks",
    version: ["--version"],
    ungrantable: "package runner",
  },
  {
    names:
      "apt apt-get aptitude dpkg yum dnf rpm zypper pacman apk brew port snap flatpak nix-env gem cpan cpanm luarocks opam choco winget scoop",
    flags: { executes: "-o,--option=x --pre-invoke=x --post-invoke=x" },
    operands: "looks",
    version: ["--version"],
    ungrantable: "package runner",
  },
];
