import { configWrites } from "./config-writes.ts";
import type { Usage, Use } from "./program.ts";

const REF_LIST =
  "--contains= --no-contains= --merged= --no-merged= --points-at= --sort= --format= --color=? --no-color --column=? --no-column -i,--ignore-case --omit-empty";

/** Subcommands of git that print by default and do something else with more arguments. */
export const GIT_LIST_SUBCOMMANDS: Readonly<Record<string, Usage>> = {
  status: {
    flags: {
      safe: "-s,--short -b,--branch --show-stash --porcelain=? --long -v,--verbose -u,--untracked-files=? --ignore-submodules=? --ignored=? -z --column=? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames=?",
    },
    operands: "maybe-read",
    readOnly: true,
  },
  branch: {
    flags: {
      safe: `${REF_LIST} -a,--all -r,--remotes -l,--list -v,--verbose --show-current --abbrev=? --no-abbrev -q,--quiet`,
      writes:
        "-d,--delete -D -m,--move -M -c,--copy -C -f,--force -u,--set-upstream-to= --unset-upstream -t,--track=? --no-track --create-reflog --recurse-submodules",
      executes: "--edit-description",
    },
    operands: "none",
    readOnly: true,
    proves: (use) => use.operands.length === 0 || has(use, "-l"),
  },
  tag: {
    flags: {
      safe: `${REF_LIST} -l,--list -n=?`,
      writes:
        "-a,--annotate -s,--sign -u,--local-user= -f,--force -d,--delete -m,--message= -F,--file=r -e,--edit --cleanup= --create-reflog",
      executes: "-v,--verify",
    },
    operands: "none",
    readOnly: true,
    proves: (use) => use.operands.length === 0 || has(use, "-l"),
  },
  remote: {
    flags: { safe: "-v,--verbose" },
    operands: "none",
    readOnly: true,
    proves: ({ operands }) => operands.length === 0,
    subcommands: { "get-url": { flags: { safe: "--push --all" }, operands: "none", readOnly: true } },
  },
  config: {
    flags: {
      safe: "--get --get-all --get-regexp --get-urlmatch -l,--list --global --system --local --worktree --show-origin --show-scope --name-only --type= --bool --int --path -z,--null --includes --no-includes --default= -f,--file=r --blob= --all --value= --regexp --fixed-value --url=",
      writes: "--add --replace-all --unset --unset-all --rename-section --remove-section --append",
      executes: "-e,--edit",
    },
    paths: configWrites,
    readOnly: true,
    proves: (use) =>
      ["--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l"].some((name) => has(use, name)),
    subcommands: {
      "get list": {
        flags: {
          safe: "--global --system --local --worktree --show-origin --show-scope --name-only --type= -z,--null --all --value= --regexp --default= --url= -f,--file=r",
        },
        operands: "none",
        readOnly: true,
      },
    },
  },
  stash: {
    operands: "maybe-write",
    subcommands: {
      "list show": {
        flags: {
          safe: "-p,-u,--patch --stat=? --oneline --name-only --name-status -n,--max-count= -NUM --format= --pretty=? --date=",
        },
        operands: "none",
        readOnly: true,
      },
    },
  },
  worktree: {
    operands: "maybe-write",
    subcommands: {
      list: { flags: { safe: "--porcelain -v,--verbose -z" }, operands: "none", readOnly: true },
    },
  },
  blame: {
    flags: {
      safe: "-b --root --show-stats -L= -l -t -S=r --reverse -p,--porcelain --line-porcelain --incremental --encoding= --contents=r --date= -M=? -C=? -c -s -e,--show-email -w -f,--show-name -n,--show-number --score-debug --progress --no-progress --abbrev=? --ignore-rev= --ignore-revs-file=r --color-lines --color-by-age --since=",
    },
    operands: "maybe-read",
    readOnly: true,
  },
  "ls-files": {
    flags: {
      safe: "-z -t -v -f -c,--cached -d,--deleted -o,--others -i,--ignored -s,--stage --directory --no-empty-directory -u,--unmerged -k,--killed -m,--modified --resolve-undo -x,--exclude= -X,--exclude-from=r --exclude-per-directory= --exclude-standard --error-unmatch --with-tree= --full-name --recurse-submodules --abbrev=? --debug --eol --deduplicate --sparse --format=",
    },
    operands: "maybe-read",
    readOnly: true,
  },
  "ls-tree": {
    flags: {
      safe: "-d -r -t -l,--long -z --name-only --name-status --object-only --abbrev=? --full-name --full-tree --format=",
    },
    operands: "maybe-read",
    readOnly: true,
  },
  "cat-file": {
    flags: {
      safe: "-t -s -e -p",
      opaque: "--batch-check=? --batch=? --batch-command=? --unordered --buffer --follow-symlinks -z -Z",
      executes: "--textconv --filters",
    },
    operands: "maybe-read",
    readOnly: true,
  },
  "rev-parse": {
    flags: {
      safe: "--verify -q,--quiet --sq --short=? --symbolic --symbolic-full-name --abbrev-ref=? --all --branches=? --tags=? --remotes=? --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --git-path= --show-superproject-working-tree --show-object-format=? --revs-only --no-revs --flags --no-flags --default= --since= --until=",
    },
    operands: "maybe-read",
    readOnly: true,
  },
  describe: {
    flags: {
      safe: "--all --tags --contains --abbrev=? --candidates= --exact-match --debug --long --match= --exclude= --always --first-parent --dirty=? --broken=?",
    },
    operands: "none",
    readOnly: true,
  },
  "merge-base name-rev show-ref for-each-ref cherry count-objects check-ignore check-attr var version": {
    flags: {
      safe: "-a,--all --is-ancestor --octopus --fork-point --independent --tags --heads --branches --head -d,--dereference -s --hash=? --verify -q,--quiet -v,--verbose --count= --sort= --format= --points-at= --merged= --contains= --name-only --always -H,--human-readable -n,--non-matching --no-index --build-options -l",
    },
    operands: "maybe-read",
    readOnly: true,
  },
};

function has({ flags }: Use, name: string): boolean {
  return flags.some(({ flag }) => flag.name === name);
}
