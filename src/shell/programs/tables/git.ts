import { configWrites } from "./argument-paths.ts";
import { program, RUNS_REST, usage, usages, type Lines } from "./lines.ts";
import type { Program, Usage, Use } from "./program.ts";

const DIFF = `
  -p,-u,--patch -s,--no-patch -U,--unified= --raw --patch-with-raw --indent-heuristic
  --no-indent-heuristic --minimal --patience --histogram --anchored= --diff-algorithm= --stat=?
  --compact-summary --numstat --shortstat -X,--dirstat=? --cumulative --dirstat-by-file=? --summary
  --patch-with-stat -z --name-only --name-status --submodule=? --color=? --no-color --color-moved=?
  --no-color-moved --color-moved-ws= --no-color-moved-ws --word-diff=? --word-diff-regex=
  --color-words=? --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight=
  --full-index --binary --abbrev=? -B,--break-rewrites=? -M,--find-renames=? -C,--find-copies=?
  --find-copies-harder -D,--irreversible-delete -l= --diff-filter= -S= -G= --find-object= --pickaxe-all
  --pickaxe-regex --skip-to= --rotate-to= -R --relative=? --no-relative -a,--text --ignore-cr-at-eol
  --ignore-space-at-eol -b,--ignore-space-change -w,--ignore-all-space --ignore-blank-lines
  -I,--ignore-matching-lines= --inter-hunk-context= -W,--function-context --exit-code --quiet
  --no-ext-diff --no-textconv --ignore-submodules=? --src-prefix= --dst-prefix= --no-prefix
  --default-prefix --line-prefix= --ita-invisible-in-index --ita-visible-in-index --stat-width=
  --stat-name-width= --stat-count= --stat-graph-width= --cc --combined-all-paths -m -O=r`;
const DIFF_ACTS = "--output=w ! --ext-diff --textconv";
const LOG = `
  -n,--max-count= -NUM --skip= --since,--after= --until,--before= --since-as-filter= --author=
  --committer= --grep-reflog= --grep= --all-match --invert-grep -i,--regexp-ignore-case --basic-regexp
  -E,--extended-regexp -F,--fixed-strings -P,--perl-regexp --remove-empty --merges --no-merges
  --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent
  --exclude-first-parent-only --not --all --branches=? --tags=? --remotes=? --glob= --exclude=
  --exclude-hidden= --reflog --alternate-refs --single-worktree --ignore-missing --bisect --cherry-mark
  --cherry-pick --left-only --right-only --cherry -g,--walk-reflogs --merge --boundary
  --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges
  --ancestry-path=? --date-order --author-date-order --topo-order --reverse --no-walk=? --do-walk
  --pretty=? --format= --abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs=?
  --no-expand-tabs --notes=? --no-notes --show-notes=? --relative-date --date= --parents --children
  --left-right --graph --no-graph --show-linear-break=? -c --follow --no-decorate --decorate=?
  --decorate-refs= --decorate-refs-exclude= --clear-decorations --source --mailmap --no-mailmap
  --use-mailmap --full-diff --log-size -L=c -t --count --no-commit-header --commit-header
  --no-show-signature --stdin`;
const LOG_ACTS = "--output=w --remerge-diff --diff-merges= ! --ext-diff --textconv --show-signature";
const REFS = `
  --contains= --no-contains= --merged= --no-merged= --points-at= --sort= --format= --color=? --no-color
  --column=? --no-column -i,--ignore-case --omit-empty`;
const READ: Usage = { readOnly: true };
const LISTS: Usage = { readOnly: true, proves: (use) => use.operands.length === 0 || has(use, "-l") };

/** Subcommands that only read, as far as their options are `safe`. */
const READS: Lines = {
  diff: `maybe-read
    ${DIFF} --staged --cached --merge-base --no-index -1,--base -2,--ours -3,--theirs -0
    > ${DIFF_ACTS}`,
  "diff-tree diff-index diff-files": `maybe-read
    ${DIFF} ${LOG} -r --root --no-commit-id --merge-base --cached
    > ${LOG_ACTS}`,
  status: `maybe-read
    -s,--short -b,--branch --show-stash --porcelain=? --long -v,--verbose -u,--untracked-files=?
    --ignore-submodules=? --ignored=? -z --column=? --no-column --ahead-behind --no-ahead-behind
    --renames --no-renames --find-renames=?`,
  blame: `maybe-read
    -b --root --show-stats -L= -l -t -S=r --reverse -p,--porcelain --line-porcelain --incremental
    --encoding= --contents=r --date= -M=? -C=? -c -s -e,--show-email -w -f,--show-name -n,--show-number
    --score-debug --progress --no-progress --abbrev=? --ignore-rev= --ignore-revs-file=r --color-lines
    --color-by-age --since=`,
  "ls-files": `maybe-read
    -z -t -v -f -c,--cached -d,--deleted -o,--others -i,--ignored -s,--stage --directory
    --no-empty-directory -u,--unmerged -k,--killed -m,--modified --resolve-undo -x,--exclude=
    -X,--exclude-from=r --exclude-per-directory= --exclude-standard --error-unmatch --with-tree=
    --full-name --recurse-submodules --abbrev=? --debug --eol --deduplicate --sparse --format=`,
  "ls-tree": `maybe-read
    -d -r -t -l,--long -z --name-only --name-status --object-only --abbrev=? --full-name --full-tree
    --format=`,
  "rev-parse": `maybe-read
    --verify -q,--quiet --sq --short=? --symbolic --symbolic-full-name --abbrev-ref=? --all --branches=?
    --tags=? --remotes=? --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir
    --git-common-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository
    --is-shallow-repository --git-path= --show-superproject-working-tree --show-object-format=?
    --revs-only --no-revs --flags --no-flags --default= --since= --until=`,
  describe: `none
    --all --tags --contains --abbrev=? --candidates= --exact-match --debug --long --match= --exclude=
    --always --first-parent --dirty=? --broken=?`,
  "merge-base name-rev show-ref for-each-ref cherry count-objects check-ignore check-attr var version": `maybe-read
    -a,--all --is-ancestor --octopus --fork-point --independent --tags --heads --branches --head
    -d,--dereference -s --hash=? --verify -q,--quiet -v,--verbose --count= --sort= --format=
    --points-at= --merged= --contains= --name-only --always -H,--human-readable -n,--non-matching
    --no-index --build-options -l`,
};

/** Subcommands that are never proven; some of their options start programs. */
const ACTS: Lines = {
  "fetch pull push ls-remote": `looks
    -v,--verbose -q,--quiet --progress --all -f,--force --tags -t --depth= -p,--prune --dry-run -n
    --force-with-lease=? --force-if-includes -d,--delete --mirror -u,--set-upstream --follow-tags
    --no-verify -4 -6 --rebase=? --no-rebase --ff-only --no-ff --ff --autostash --recurse-submodules=?
    -j,--jobs= --porcelain --atomic -o,--push-option=
    ! --upload-pack=x --receive-pack,--exec=x`,
  clone: `copy
    -v,--verbose -q,--quiet --progress -n,--no-checkout --bare --mirror -l,--local --no-hardlinks
    -s,--shared --recurse-submodules=? -j,--jobs= -o,--origin= -b,--branch= --depth= --single-branch
    --no-tags --shallow-submodules --filter= --sparse
    > --separate-git-dir=w
    ! -u,--upload-pack=x -c,--config=x --template=r --reference=r`,
  rebase: `none
    -i,--interactive --continue --abort --skip --quit --onto= -q,--quiet -v,--verbose --autostash --root
    -r --autosquash
    ! -x,--exec=x --edit-todo -s,--strategy=`,
  "difftool mergetool":
    "maybe-read -y,--no-prompt --cached --staged --tool-help ! -x,--extcmd=x -t,--tool= -g,--gui",
  "archive bundle": "maybe-write --add-file=r > -o,--output=w ! --exec=x --remote=",
  commit:
    "looks -a,--all -m,--message= -s,--signoff -q,--quiet -v,--verbose --amend --no-edit -F,--file=r -t,--template=r",
  notes: "looks -m,--message= -f,--force -F,--file=r",
  "hash-object update-index interpret-trailers": "maybe-read",
  "send-email": "maybe-read ! --sendmail-cmd=x --smtp-server=x --to-cmd=x --cc-cmd=x --header-cmd=x",
  "credential-store": "looks --file=r",
  "format-patch": "none > -o,--output-directory=w --output=w",
  "add rm mv checkout restore reset clean stage switch apply am init": "maybe-write",
  "help web--browse instaweb gui citool": "none",
};

/** `git`, its subcommands, and their options that start programs. */
export const gitPrograms = (): readonly Program[] => [
  // Git accepts any folder that looks like a repository, and its config can start programs.
  program(
    "git",
    `looks
    --no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs
    --icase-pathspecs --no-replace-objects --no-lazy-fetch --no-advice --html-path --man-path
    --info-path -v,--version
    ~ -C=d --namespace= --bare --attr-source= -h,--help
    ! -c=x --exec-path=r? --config-env= --git-dir=r --work-tree=r -p,--paginate --super-prefix=`,
    {
      lists: transportsThatExecute,
      proves: staysHere,
      subcommands: {
        ...usages(READS, READ),
        ...usages(ACTS),
        "cat-file": usage(
          `maybe-read
          -t -s -e -p
          ~ --batch-check=? --batch=? --batch-command=? --unordered --buffer --follow-symlinks -z -Z
          ! --textconv --filters`,
          { ...READ, readsNames: ({ flags }) => flags.some(({ flag }) => flag.name.startsWith("--batch")) },
        ),
        "log show whatchanged rev-list reflog": usage(`maybe-read ${DIFF} ${LOG} > ${LOG_ACTS}`, {
          ...READ,
          subcommands: { "expire delete drop write": usage("maybe-write") },
        }),
        shortlog: usage(
          `maybe-read ${LOG} -n,--numbered -s,--summary -e,--email -w=? --group= > ${LOG_ACTS}`,
          READ,
        ),
        grep: usage(
          `maybe-read
          --cached --exclude-standard --no-exclude-standard --recurse-submodules
          -a,--text -i,--ignore-case -I --no-textconv -r,--recursive --no-recursive --max-depth=
          -w,--word-regexp -v,--invert-match -h -H --full-name -E,--extended-regexp -G,--basic-regexp
          -P,--perl-regexp -F,--fixed-strings -n,--line-number --column
          -l,--files-with-matches,--name-only -L,--files-without-match -z,--null -o,--only-matching
          -c,--count --color=? --no-color --break --heading -p,--show-function -A,--after-context=
          -B,--before-context= -C,--context= -NUM -W,--function-context -m,--max-count= --threads= -f=r
          -e= --and --or --not --all-match -q,--quiet
          ! -O,--open-files-in-pager=x? --textconv --ext-grep`,
          { ...READ, patternFlags: ["-e", "-f"] },
        ),
        branch: usage(
          `none
          ${REFS} -a,--all -r,--remotes -l,--list -v,--verbose --show-current --abbrev=? --no-abbrev
          -q,--quiet
          > -d,--delete -D -m,--move -M -c,--copy -C -f,--force -u,--set-upstream-to= --unset-upstream
          -t,--track=? --no-track --create-reflog --recurse-submodules
          ! --edit-description`,
          LISTS,
        ),
        tag: usage(
          `none
          ${REFS} -l,--list -n=?
          > -a,--annotate -s,--sign -u,--local-user= -f,--force -d,--delete -m,--message= -F,--file=r
          -e,--edit --cleanup= --create-reflog
          ! -v,--verify`,
          LISTS,
        ),
        remote: usage("none -v,--verbose", {
          ...READ,
          proves: ({ operands }) => operands.length === 0,
          subcommands: { "get-url": usage("none --push --all", READ) },
        }),
        config: usage(
          `looks
          --get --get-all --get-regexp --get-urlmatch -l,--list --global --system --local --worktree
          --show-origin --show-scope --name-only --type= --bool --int --path -z,--null --includes
          --no-includes --default= -f,--file=r --blob= --all --value= --regexp --fixed-value --url=
          > --add --replace-all --unset --unset-all --rename-section --remove-section --append
          ! -e,--edit`,
          {
            ...READ,
            paths: configWrites,
            proves: (use) =>
              ["--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l"].some((name) => has(use, name)),
            subcommands: {
              "get list": usage(
                `none
                --global --system --local --worktree --show-origin --show-scope --name-only --type=
                -z,--null --all --value= --regexp --default= --url= -f,--file=r`,
                READ,
              ),
            },
          },
        ),
        stash: usage("maybe-write", {
          subcommands: {
            "list show": usage(
              `none
              -p,-u,--patch --stat=? --oneline --name-only --name-status -n,--max-count= -NUM --format=
              --pretty=? --date=`,
              READ,
            ),
          },
        }),
        worktree: usage("maybe-write", {
          subcommands: { list: usage("none --porcelain -v,--verbose -z", READ) },
        }),
        bisect: usage("none", { subcommands: { run: usage("looks", RUNS_REST) } }),
        submodule: usage("maybe-write", {
          subcommands: {
            status: usage("maybe-read --recursive --cached -q,--quiet", READ),
            foreach: usage("looks -q,--quiet --recursive", { ...RUNS_REST, starts: [{ kind: "joined" }] }),
          },
        }),
        "filter-branch": usage(
          `looks
          -f,--force -d=w --original=
          ! --setup=x --env-filter=x --tree-filter=x --index-filter=x --parent-filter=x --msg-filter=x
          --commit-filter=x --tag-name-filter=x --subdirectory-filter=`,
          { ungrantable: "wrapper" },
        ),
      },
    },
  ),
];

function has({ flags }: Use, name: string): boolean {
  return flags.some(({ flag }) => flag.name === name);
}

/**
 * `:/`, `:(top)` and `REVISION:PATH` are relative to the repository, which may begin above the workspace. A format with the
 * signature of a commit or tag starts the program that verifies it.
 */
function staysHere({ operands, flags }: Use): boolean {
  return (
    operands.every(({ text }) => !text.includes(":")) &&
    flags.every(({ values }) => values.every(({ text }) => !/%G|%\(signature/.test(text)))
  );
}

/** `ext::` is a command line in place of a URL. */
function transportsThatExecute({ operands }: Use): Use["operands"] {
  return operands.filter(({ text }) => /^(?:ext|fd)::/.test(text));
}
