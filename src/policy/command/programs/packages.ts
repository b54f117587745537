import type { Flags, Program, Usage } from "./program.ts";

const RUNNER_FLAGS: Flags = {
  safe: "-y,--yes --no-install --quiet,-q --silent,-s --ignore-existing --prefer-offline --offline -w,--workspace= --workspaces --bun -v,--verbose --with= --python,-p= --no-cache --isolated --refresh",
  opaque: "--package= --from= --spec= --registry= --prefix=d -C,--dir,--cwd,--directory=d",
  executes: "-c,--call,--shell-mode=x",
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
const FETCHES: Usage = { operands: "looks" };
const LISTS: Usage = {
  flags: {
    safe: "-g,--global --depth= --json --long -l -a,--all --parseable -p --outdated --format= --prod --dev",
  },
  operands: "none",
  readOnly: true,
};

/** Managers of packages, and runners of what packages and projects bring. */
export const PACKAGE_PROGRAMS: readonly Program[] = [
  {
    ...RUNS_PACKAGE,
    names: "npx pnpx bunx uvx dlx jbang",
    flags: { ...RUNNER_FLAGS, opaque: `${RUNNER_FLAGS.opaque} -p=` },
    version: ["--version", "-v"],
  },
  {
    names: "npm pnpm yarn cnpm",
    flags: {
      safe: "-s,--silent -w,--workspace= --workspaces -r,--recursive --filter= -v,--version -h,--help --json",
      opaque: "-C,--prefix,--dir,--cwd=d --userconfig=r --globalconfig=r --registry=",
      executes: "--script-shell=x --node-options= --git=x --editor=x --viewer=x",
    },
    operands: "looks",
    version: ["--version", "-v"],
    // A word that is no command of its own is the name of a script to yarn and pnpm.
    ungrantable: "package runner",
    subcommands: {
      "run run-script rum urn test t tst start stop restart": RUNS_TASK,
      "exec x dlx": RUNS_PACKAGE,
      "create init": { operands: "looks", ungrantable: "package runner" },
      "install i add ci update up upgrade remove rm uninstall un link dedupe audit publish pack rebuild":
        FETCHES,
      "ls list la ll": LISTS,
      "view info show outdated search why explain help bin root prefix": { operands: "none" },
      "config get set cache login logout token version": { operands: "none" },
    },
  },
  {
    names: "pip pip3 pipx uv poetry pipenv pdm hatch rye conda-build",
    operands: "looks",
    version: ["--version", "-V"],
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
  },
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
  {
    names:
      "cmake ninja meson just task rake ant gradle gradlew mvn mvnw sbt lein bazel buck scons waf gulp grunt turbo nx lerna tox nox invoke fab composer mix rebar3 stack cabal pre-commit lefthook husky doit mask moon wireit",
    operands: "looks",
    version: ["--version"],
    ungrantable: "task runner",
  },
  {
    names:
      "apt apt-get aptitude dpkg yum dnf rpm zypper pacman apk brew port snap flatpak nix nix-env nix-shell gem cpan cpanm luarocks opam choco winget scoop",
    flags: { executes: "-o,--option=x --pre-invoke=x --post-invoke=x" },
    operands: "looks",
    version: ["--version"],
    ungrantable: "package runner",
  },
];
