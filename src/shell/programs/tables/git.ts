import type { Word } from "../../../core/command.ts";
import { GIT_LIST_SUBCOMMANDS } from "./git-lists.ts";
import { DIFF_EXECUTES, DIFF_SAFE, DIFF_WRITES, LOG_EXECUTES, LOG_SAFE } from "./git-options.ts";
import type { Flags, Program, Usage, Use } from "./program.ts";

const DIFF_FLAGS: Flags = {
  safe: `${DIFF_SAFE} --staged --cached --merge-base --no-index -1,--base -2,--ours -3,--theirs -0`,
  writes: DIFF_WRITES,
  executes: DIFF_EXECUTES,
};
const LOG_FLAGS: Flags = {
  safe: `${DIFF_SAFE} ${LOG_SAFE}`,
  writes: `${DIFF_WRITES} --remerge-diff --diff-merges=`,
  executes: `${DIFF_EXECUTES} ${LOG_EXECUTES}`,
};
const REMOTE_FLAGS: Flags = {
  safe: "-v,--verbose -q,--quiet --progress --all -f,--force --tags -t --depth= -p,--prune --dry-run -n --force-with-lease=? --force-if-includes -d,--delete --mirror -u,--set-upstream --follow-tags --no-verify -4 -6 --rebase=? --no-rebase --ff-only --no-ff --ff --autostash --recurse-submodules=? -j,--jobs= --porcelain --atomic -o,--push-option=",
  executes: "--upload-pack=x --receive-pack,--exec=x",
};
const readsLike = (flags: Flags): Usage => ({
  flags,
  operands: "maybe-read",
  readOnly: true,
});
const WRITES: Usage = { operands: "maybe-write" };

/** `git`, its subcommands, and their options that start programs. */
export const GIT_PROGRAMS: readonly Program[] = [
  {
    names: "git",
    flags: {
      safe: "--no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-replace-objects --no-lazy-fetch --no-advice --html-path --man-path --info-path -v,--version",
      // Git accepts any folder that looks like a repository, and its config can start programs.
      opaque: "-C=d --namespace= --bare --attr-source= -h,--help",
      executes: "-c=x --exec-path=r? --config-env= --git-dir=r --work-tree=r -p,--paginate --super-prefix=",
    },
    version: ["--version", "-v", "version"],
    lists: transportsThatExecute,
    proves: staysHere,
    subcommands: {
      ...GIT_LIST_SUBCOMMANDS,
      diff: readsLike(DIFF_FLAGS),
      "diff-tree diff-index diff-files": readsLike({
        ...LOG_FLAGS,
        safe: `${LOG_FLAGS.safe} -r --root --no-commit-id --merge-base --cached`,
      }),
      "log show whatchanged rev-list reflog": {
        ...readsLike(LOG_FLAGS),
        subcommands: { "expire delete drop write": WRITES },
      },
      "range-diff": readsLike({
        ...DIFF_FLAGS,
        safe: `${DIFF_SAFE} --creation-factor= --no-dual-color --left-only --right-only`,
      }),
      shortlog: readsLike({
        ...LOG_FLAGS,
        safe: `${LOG_SAFE} -n,--numbered -s,--summary -e,--email -w=? --group=`,
      }),
      grep: {
        ...readsLike({
          safe: "--cached --untracked --no-index --exclude-standard --no-exclude-standard --recurse-submodules -a,--text -i,--ignore-case -I --no-textconv -r,--recursive --no-recursive --max-depth= -w,--word-regexp -v,--invert-match -h -H --full-name -E,--extended-regexp -G,--basic-regexp -P,--perl-regexp -F,--fixed-strings -n,--line-number --column -l,--files-with-matches,--name-only -L,--files-without-match -z,--null -o,--only-matching -c,--count --color=? --no-color --break --heading -p,--show-function -A,--after-context= -B,--before-context= -C,--context= -NUM -W,--function-context -m,--max-count= --threads= -f=r -e= --and --or --not --all-match -q,--quiet",
          executes: "-O,--open-files-in-pager=x? --textconv --ext-grep",
        }),
        patternFlags: ["-e", "-f"],
      },
      "fetch pull push ls-remote": { flags: REMOTE_FLAGS, operands: "looks" },
      clone: {
        flags: {
          safe: "-v,--verbose -q,--quiet --progress -n,--no-checkout --bare --mirror -l,--local --no-hardlinks -s,--shared --recurse-submodules=? -j,--jobs= -o,--origin= -b,--branch= --depth= --single-branch --no-tags --shallow-submodules --filter= --sparse",
          writes: "--separate-git-dir=w",
          executes: "-u,--upload-pack=x -c,--config=x --template=r --reference=r",
        },
        operands: "copy",
      },
      bisect: {
        operands: "none",
        subcommands: { run: { starts: [{ kind: "rest" }], stopsAtOperand: true, ungrantable: "wrapper" } },
      },
      rebase: {
        flags: {
          safe: "-i,--interactive --continue --abort --skip --quit --onto= -q,--quiet -v,--verbose --autostash --root -r --autosquash",
          executes: "-x,--exec=x --edit-todo -s,--strategy=",
        },
        operands: "none",
      },
      submodule: {
        operands: "maybe-write",
        subcommands: {
          status: {
            flags: { safe: "--recursive --cached -q,--quiet" },
            operands: "maybe-read",
            readOnly: true,
          },
          foreach: {
            flags: { safe: "-q,--quiet --recursive" },
            starts: [{ kind: "joined" }],
            stopsAtOperand: true,
            ungrantable: "wrapper",
          },
        },
      },
      "filter-branch": {
        flags: {
          safe: "-f,--force -d=w --original=",
          executes:
            "--setup=x --env-filter=x --tree-filter=x --index-filter=x --parent-filter=x --msg-filter=x --commit-filter=x --tag-name-filter=x --subdirectory-filter=",
        },
        ungrantable: "wrapper",
      },
      "difftool mergetool": {
        flags: {
          safe: "-y,--no-prompt --cached --staged --tool-help",
          executes: "-x,--extcmd=x -t,--tool= -g,--gui",
        },
        operands: "maybe-read",
      },
      "archive bundle": {
        flags: { writes: "-o,--output=w", executes: "--exec=x --remote=" },
        operands: "maybe-write",
      },
      "format-patch": { flags: { writes: "-o,--output-directory=w --output=w" }, operands: "none" },
      "add rm mv checkout restore reset clean stage switch apply am init": WRITES,
      "help web--browse send-email instaweb gui citool": { flags: {}, operands: "none" },
    },
  },
];

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
function transportsThatExecute({ operands }: Use): readonly Word[] {
  return operands.filter(({ text }) => /^(?:ext|fd)::/.test(text));
}
