import type { Flags, Program } from "./program.ts";

const GREP_FLAGS: Flags = {
  safe: "-E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -e,--regexp= -f,--file=r -i,-y,--ignore-case --no-ignore-case -v,--invert-match -w,--word-regexp -x,--line-regexp -c,--count --color=? --colour=? -L,--files-without-match -l,--files-with-matches -m,--max-count= -o,--only-matching -q,--quiet,--silent -s,--no-messages -b,--byte-offset -H,--with-filename -h,--no-filename --label= -n,--line-number -T,--initial-tab -Z,-z,--null,--null-data -A,--after-context= -B,--before-context= -C,--context= -NUM -a,--text --binary-files= -D,--devices= -d,--directories= --exclude= --exclude-from=r --exclude-dir= -I --include= --include-dir= -r,--recursive --line-buffered -U,--binary -u,--unix-byte-offsets -O -S -p -V,--version --help --no-group-separator --group-separator=",
  // Links lead out of the workspace.
  opaque: "-R,--dereference-recursive",
  executes: "-J --decompress",
};

const FIND_TESTS =
  "-P -D= -O0 -O1 -O2 -O3 -daystart -depth -d -ignore_readdir_race -noignore_readdir_race -maxdepth= -mindepth= -mount -nowarn -warn -regextype= -xdev -E -X -s -x -f=r -amin= -anewer=r -atime= -cmin= -cnewer=r -context= -ctime= -empty -executable -false -fstype= -gid= -group= -ilname= -iname= -inum= -ipath= -iregex= -iwholename= -links= -lname= -mmin= -mtime= -name= -newer=r -neweraa=r -newerac=r -neweram=r -newerat= -newerca=r -newercc=r -newercm=r -newerct= -newerma=r -newermc=r -newermm=r -newermt= -nogroup -nouser -path= -perm= -readable -regex= -samefile=r -size= -true -type= -uid= -used= -user= -wholename= -writable -xtype= -ls -print -print0 -printf= -prune -quit -not -a -and -o -or -help --help -version --version";

/** Programs that search for files and for text in files. */
export const SEARCH_PROGRAMS: readonly Program[] = [
  {
    names: "grep egrep fgrep ggrep",
    flags: GREP_FLAGS,
    operands: "pattern",
    patternFlags: ["-e", "-f"],
    readOnly: true,
  },
  { names: "zgrep zegrep zfgrep bzgrep xzgrep", flags: GREP_FLAGS, operands: "pattern" },
  {
    names: "rg",
    flags: {
      safe: "-e,--regexp= -f,--file=r -A,--after-context= -B,--before-context= -C,--context= --auto-hybrid-regex --no-auto-hybrid-regex --binary --no-binary --block-buffered --no-block-buffered -b,--byte-offset --no-byte-offset -s,--case-sensitive --color= --colors= --column --no-column --context-separator= --no-context-separator -c,--count --count-matches --crlf --no-crlf --debug --dfa-size-limit= -E,--encoding= --no-encoding --engine= --field-context-separator= --field-match-separator= --files -l,--files-with-matches --files-without-match -F,--fixed-strings --no-fixed-strings --no-follow --glob-case-insensitive --no-glob-case-insensitive -g,--glob= --heading --no-heading -h,--help -.,--hidden --no-hidden --hyperlink-format= --iglob= -i,--ignore-case --ignore-file=r --ignore-file-case-insensitive --no-ignore-file-case-insensitive --include-zero --no-include-zero -v,--invert-match --no-invert-match --json --no-json --line-buffered --no-line-buffered -n,--line-number -N,--no-line-number -x,--line-regexp -M,--max-columns= --max-columns-preview --no-max-columns-preview -m,--max-count= -d,--max-depth,--maxdepth= --max-filesize= --mmap --no-mmap -U,--multiline --no-multiline --multiline-dotall --no-multiline-dotall --no-config --no-ignore --ignore --no-ignore-dot --ignore-dot --no-ignore-exclude --ignore-exclude --no-ignore-files --ignore-files --no-ignore-global --ignore-global --no-ignore-messages --ignore-messages --no-ignore-parent --ignore-parent --no-ignore-vcs --ignore-vcs --no-messages --messages --no-require-git --require-git --no-unicode --unicode -0,--null --null-data --one-file-system --no-one-file-system -o,--only-matching --path-separator= --passthru,--passthrough -P,--pcre2 --no-pcre2 --no-pcre2-unicode --pcre2-version --pre-glob= --no-pre -p,--pretty -q,--quiet --regex-size-limit= -r,--replace= -S,--smart-case --sort= --sortr= --sort-files --stats --no-stats --stop-on-nonmatch -a,--text --no-text -j,--threads= --trace --trim --no-trim -t,--type= -T,--type-not= --type-add= --type-clear= --type-list -u,--unrestricted -V,--version --vimgrep -H,--with-filename -I,--no-filename -w,--word-regexp --no-search-zip --generate=",
      opaque: "-L,--follow",
      executes: "--pre=x --hostname-bin=x -z,--search-zip",
    },
    operands: "pattern",
    patternFlags: ["-e", "-f", "--files", "--type-list"],
    readOnly: true,
  },
  {
    names: "ag ack ack-grep ugrep ug",
    flags: { executes: "--pager=x --filter=x --pre=x" },
    operands: "maybe-read",
  },
  {
    names: "find gfind",
    hasWordFlags: true,
    flags: {
      safe: FIND_TESTS,
      opaque: "-H -L -follow -files0-from=r",
      writes: "-delete -fls=w -fprint=w -fprint0=w -fprintf=w=",
      executes: "-exec -execdir -ok -okdir",
    },
    operands: "roots",
    inPlace: ["-delete"],
    starts: [{ kind: "until", flags: ["-exec", "-execdir", "-ok", "-okdir"] }],
    readOnly: true,
  },
  {
    names: "fd fdfind",
    flags: {
      safe: "-H,--hidden --no-hidden -I,--no-ignore --ignore -u,--unrestricted --no-ignore-vcs --no-ignore-parent --no-global-ignore-file -s,--case-sensitive -i,--ignore-case -g,--glob --regex -F,--fixed-strings --and= -a,--absolute-path --relative-path -p,--full-path -0,--print0 -d,--max-depth= --min-depth= --exact-depth= -E,--exclude= --prune -t,--type= -e,--extension= -S,--size= --changed-within,--newer= --changed-before,--older= -o,--owner= --format= -c,--color= --hyperlink=? -j,--threads= --max-results= -1 -q,--quiet --show-errors --base-directory=d --path-separator= --search-path=r --strip-cwd-prefix=? --one-file-system -h,--help -V,--version",
      opaque: "--ignore-file=r",
      executes: "-x,--exec -X,--exec-batch -l,--list-details",
    },
    operands: "pattern",
    starts: [{ kind: "until", flags: ["-x", "-X"] }],
    readOnly: true,
  },
  {
    names: "locate plocate mlocate",
    flags: {
      safe: "-A,--all -b,--basename -c,--count -e,--existing -i,--ignore-case -l,-n,--limit= -q,--quiet -r,--regexp= --regex -0,--null -w,--wholename -S,--statistics",
      opaque: "-d,--database=r",
    },
    operands: "none",
  },
  {
    names: "which",
    flags: {
      safe: "-a,--all -s -i,--read-alias --skip-alias --skip-dot --skip-tilde --show-dot --show-tilde --tty-only -v,-V,--version --help",
    },
    operands: "none",
    readOnly: true,
  },
  { names: "whereis", flags: { safe: "-b -m -s -u -l" }, operands: "none", readOnly: true },
];
