import { program } from "./lines.ts";
import type { Program } from "./program.ts";
import { isPlainSedUse, sedWordsThatAct } from "./sed-script.ts";

/** Programs that search files, or filter text by a pattern: proven to only read, as far as their options are `safe`. */
export const searchers = (): readonly Program[] => [
  // A module is a file that no argument names.
  program(
    "jq",
    `pattern
    -n,--null-input -R,--raw-input -s,--slurp -c,--compact-output -r,--raw-output --raw-output0
    -j,--join-output -a,--ascii-output -S,--sort-keys -C,--color-output -M,--monochrome-output --tab
    --indent= --unbuffered --stream --stream-errors --seq -e,--exit-status --arg== --argjson==
    --slurpfile==r --rawfile==r --args --jsonargs -h,--help -V,--version --build-configuration
    ~ -f,--from-file=r -L,--library-path=r --argfile==r
    > -i,--in-place`,
    {
      readOnly: true,
      proves: ({ operands }) =>
        !/\b(?:import|include|input_filename|modulemeta|get_search_list)\b/.test(operands[0]?.text ?? ""),
    },
  ),
  program(
    "sed gsed",
    `pattern
    -n,--quiet,--silent --debug -e,--expression= -E,-r,--regexp-extended --line-length= --posix
    --sandbox -s,--separate -u,--unbuffered -z,--null-data -a --follow-symlinks --help --version
    ~ -f,--file=r
    > -i,-I,--in-place=?`,
    {
      readOnly: true,
      patternFlags: ["-e", "-f"],
      inPlace: ["-i"],
      proves: isPlainSedUse,
      lists: sedWordsThatAct,
    },
  ),
  // -R and -L follow links out of the workspace.
  program(
    "grep egrep fgrep ggrep",
    `pattern
    -E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -e,--regexp= -f,--file=r
    -i,-y,--ignore-case --no-ignore-case -v,--invert-match -w,--word-regexp -x,--line-regexp -c,--count
    --color=? --colour=? -L,--files-without-match -l,--files-with-matches -m,--max-count=
    -o,--only-matching -q,--quiet,--silent -s,--no-messages -b,--byte-offset -H,--with-filename
    -h,--no-filename --label= -n,--line-number -T,--initial-tab -Z,-z,--null,--null-data
    -A,--after-context= -B,--before-context= -C,--context= -NUM -a,--text --binary-files= -D,--devices=
    -d,--directories= --exclude= --exclude-from=r --exclude-dir= -I --include= --include-dir=
    -r,--recursive --line-buffered -U,--binary -u,--unix-byte-offsets -O -S -p -V,--version --help
    --no-group-separator --group-separator=
    ~ -R,--dereference-recursive
    ! -J --decompress`,
    { readOnly: true, patternFlags: ["-e", "-f"] },
  ),
  program(
    "rg",
    `pattern
    -e,--regexp= -f,--file=r -A,--after-context= -B,--before-context= -C,--context= --auto-hybrid-regex
    --no-auto-hybrid-regex --binary --no-binary --block-buffered --no-block-buffered -b,--byte-offset
    --no-byte-offset -s,--case-sensitive --color= --colors= --column --no-column --context-separator=
    --no-context-separator -c,--count --count-matches --crlf --no-crlf --debug --dfa-size-limit=
    -E,--encoding= --no-encoding --engine= --field-context-separator= --field-match-separator= --files
    -l,--files-with-matches --files-without-match -F,--fixed-strings --no-fixed-strings --no-follow
    --glob-case-insensitive --no-glob-case-insensitive -g,--glob= --heading --no-heading -h,--help
    -.,--hidden --no-hidden --hyperlink-format= --iglob= -i,--ignore-case --ignore-file=r
    --ignore-file-case-insensitive --no-ignore-file-case-insensitive --include-zero --no-include-zero
    -v,--invert-match --no-invert-match --json --no-json --line-buffered --no-line-buffered
    -n,--line-number -N,--no-line-number -x,--line-regexp -M,--max-columns= --max-columns-preview
    --no-max-columns-preview -m,--max-count= -d,--max-depth,--maxdepth= --max-filesize= --mmap --no-mmap
    -U,--multiline --no-multiline --multiline-dotall --no-multiline-dotall --no-config --no-ignore
    --ignore --no-ignore-dot --ignore-dot --no-ignore-exclude --ignore-exclude --no-ignore-files
    --ignore-files --no-ignore-global --ignore-global --no-ignore-messages --ignore-messages
    --no-ignore-parent --ignore-parent --no-ignore-vcs --ignore-vcs --no-messages --messages
    --no-require-git --require-git --no-unicode --unicode -0,--null --null-data --one-file-system
    --no-one-file-system -o,--only-matching --path-separator= --passthru,--passthrough -P,--pcre2
    --no-pcre2 --no-pcre2-unicode --pcre2-version --pre-glob= --no-pre -p,--pretty -q,--quiet
    --regex-size-limit= -r,--replace= -S,--smart-case --sort= --sortr= --sort-files --stats --no-stats
    --stop-on-nonmatch -a,--text --no-text -j,--threads= --trace --trim --no-trim -t,--type=
    -T,--type-not= --type-add= --type-clear= --type-list -u,--unrestricted -V,--version --vimgrep
    -H,--with-filename -I,--no-filename -w,--word-regexp --no-search-zip --generate=
    ~ -L,--follow
    ! --pre=x --hostname-bin=x -z,--search-zip`,
    { readOnly: true, patternFlags: ["-e", "-f", "--files", "--type-list"] },
  ),
  program(
    "find gfind",
    `roots
    -P -D= -O0 -O1 -O2 -O3 -daystart -depth -d -ignore_readdir_race -noignore_readdir_race -maxdepth=
    -mindepth= -mount -nowarn -warn -regextype= -xdev -E -X -s -x -f=r -amin= -anewer=r -atime= -cmin=
    -cnewer=r -context= -ctime= -empty -executable -false -fstype= -gid= -group= -ilname= -iname= -inum=
    -ipath= -iregex= -iwholename= -links= -lname= -mmin= -mtime= -name= -newer=r -neweraa=r -newerac=r
    -neweram=r -newerat= -newerca=r -newercc=r -newercm=r -newerct= -newerma=r -newermc=r -newermm=r
    -newermt= -nogroup -nouser -path= -perm= -readable -regex= -samefile=r -size= -true -type= -uid=
    -used= -user= -wholename= -writable -xtype= -ls -print -print0 -printf= -prune -quit -not -a -and -o
    -or -help --help -version --version
    ~ -H -L -follow -files0-from=n
    > -delete -fls=w -fprint=w -fprint0=w -fprintf=w=
    ! -exec -execdir -ok -okdir`,
    {
      readOnly: true,
      hasWordFlags: true,
      inPlace: ["-delete"],
      starts: [{ kind: "until", flags: ["-exec", "-execdir", "-ok", "-okdir"] }],
    },
  ),
  program(
    "fd fdfind",
    `pattern
    -H,--hidden --no-hidden -I,--no-ignore --ignore -u,--unrestricted --no-ignore-vcs --no-ignore-parent
    --no-global-ignore-file -s,--case-sensitive -i,--ignore-case -g,--glob --regex -F,--fixed-strings
    --and= -a,--absolute-path --relative-path -p,--full-path -0,--print0 -d,--max-depth= --min-depth=
    --exact-depth= -E,--exclude= --prune -t,--type= -e,--extension= -S,--size= --changed-within,--newer=
    --changed-before,--older= -o,--owner= --format= -c,--color= --hyperlink=? -j,--threads=
    --max-results= -1 -q,--quiet --show-errors --base-directory=d --path-separator= --search-path=r
    --strip-cwd-prefix=? --one-file-system -h,--help -V,--version
    ~ --ignore-file=r
    ! -x,--exec -X,--exec-batch -l,--list-details`,
    { readOnly: true, starts: [{ kind: "until", flags: ["-x", "-X"] }] },
  ),
];
