import { isPlainSedUse, sedWordsThatAct } from "./sed-script.ts";
import { program, programs, type Lines } from "./lines.ts";
import type { Program, Use } from "./program.ts";

/** Programs that are proven to only read, as far as their options are `safe`. */
export const readers = (): readonly Program[] => [
  ...programs(
    {
      ls: "read -a,--all -A,--almost-all --author -b,--escape --block-size= -B,--ignore-backups -c -C --color=? --full-time -d,--directory -D,--dired -f -F,--classify[=] -g -G,--no-group -h,--human-readable --si -H --dereference-command-line --dereference-command-line-symlink-to-dir --hide= --hyperlink=? --indicator-style= -i,--inode -I,--ignore= -k,--kibibytes -l -m -n,--numeric-uid-gid -N,--literal -o -p --file-type -q,--hide-control-chars --show-control-chars -Q,--quote-name --quoting-style= -r,--reverse -R,--recursive -s,--size -S --sort= -t --time= --time-style= -T,--tabsize= -u -U -v -w,--width= --format= -x -X -Z,--context --zero -1 -@ -e -O --group-directories-first --help --version ~ -L,--dereference",
      stat: "read -L,--dereference -f,--file-system -c,--format= --printf= -t,--terse --cached= -x --help --version",
      file: "read -b,--brief -i,--mime --mime-type --mime-encoding --extension --apple -E -h,--no-dereference -k,--keep-going -l,--list -L,--dereference -n,--no-buffer -N,--no-pad -0,--print0 -p,--preserve-date -r,--raw -s,--special-files -F,--separator= -e,--exclude= -P,--parameter= -S,--no-sandbox --help -v,--version ~ -m,--magic-file=r -f,--files-from=n > -C,--compile ! -z,--uncompress -Z,--uncompress-noreport",
      du: "read -0,--null -a,--all --apparent-size -A -B,--block-size= -b,--bytes -c,--total -D,--dereference-args -d,--max-depth= -H -h,--human-readable --inodes -k -l,--count-links -m -P,--no-dereference -S,--separate-dirs --si -s,--summarize -t,--threshold= --time=? --time-style= -x,--one-file-system --exclude= -I= --help --version ~ -L,--dereference --files0-from=n -X,--exclude-from=r",
      pwd: "none -L,--logical -P,--physical --help --version",
      basename: "none -a,--multiple -s,--suffix= -z,--zero --help --version",
      dirname: "none -z,--zero --help --version",
      "realpath grealpath":
        "read -E,--canonicalize -e,--canonicalize-existing -m,--canonicalize-missing -L,--logical -P,--physical -q,--quiet --relative-to=r --relative-base=r -s,--strip,--no-symlinks -z,--zero --help --version",
      readlink:
        "read -f,--canonicalize -e,--canonicalize-existing -m,--canonicalize-missing -n,--no-newline -q,--quiet -s,--silent -v,--verbose -z,--zero --help --version",
      which:
        "none -a,--all -s -i,--read-alias --skip-alias --skip-dot --skip-tilde --show-dot --show-tilde --tty-only -v,-V,--version --help",
      "cat gcat":
        "read -A,--show-all -b,--number-nonblank -e -E,--show-ends -n,--number -s,--squeeze-blank -t -T,--show-tabs -u -v,--show-nonprinting --help --version",
      tac: "read -b,--before -r,--regex -s,--separator=",
      rev: "read -0,--zero",
      "head ghead":
        "read -c,--bytes= -n,--lines= -q,--quiet,--silent -v,--verbose -z,--zero-terminated -NUM --help --version",
      "tail gtail":
        "read -c,--bytes= -f --follow=? -F --max-unchanged-stats= -n,--lines= --pid= -q,--quiet,--silent --retry -s,--sleep-interval= -v,--verbose -z,--zero-terminated -NUM -r --help --version",
      wc: "read -c,--bytes -m,--chars -l,--lines -L,--max-line-length -w,--words --total= --help --version ~ --files0-from=n",
      nl: "read -b,--body-numbering= -d,--section-delimiter= -f,--footer-numbering= -h,--header-numbering= -i,--line-increment= -l,--join-blank-lines= -n,--number-format= -p,--no-renumber -s,--number-separator= -v,--starting-line-number= -w,--number-width=",
      cut: "read -b,--bytes= -c,--characters= -d,--delimiter= -f,--fields= -n --complement -s,--only-delimited --output-delimiter= -z,--zero-terminated -w",
      tr: "none -c,-C,--complement -d,--delete -s,--squeeze-repeats -t,--truncate-set1 -u",
      "sort gsort":
        "read -b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort -i,--ignore-nonprinting -M,--month-sort -h,--human-numeric-sort -n,--numeric-sort -R,--random-sort -r,--reverse --sort= -V,--version-sort --batch-size= -c --check=? -C --debug -k,--key= -m,--merge -s,--stable -S,--buffer-size= -t,--field-separator= --parallel= -u,--unique -z,--zero-terminated --random-source=r --help --version ~ --files0-from=n > -o,--output=w -T,--temporary-directory=w ! --compress-program=x",
      uniq: "filter -c,--count -d,--repeated -D --all-repeated=? -f,--skip-fields= --group=? -i,--ignore-case -s,--skip-chars= -u,--unique -z,--zero-terminated -w,--check-chars= -NUM",
      comm: "read -1 -2 -3 -i --check-order --nocheck-order --output-delimiter= --total -z,--zero-terminated",
      paste: "read -d,--delimiters= -s,--serial -z,--zero-terminated",
      fold: "read -b,--bytes -s,--spaces -w,--width=",
      column: "read -t,--table -s,--separator= -o,--output-separator=",
      "diff gdiff":
        "read --normal -q,--brief -s,--report-identical-files -c -C,--context= -u -U,--unified= -e,--ed -n,--rcs -y,--side-by-side -W,--width= --left-column --suppress-common-lines -p,--show-c-function -F,--show-function-line= --label= -L= -t,--expand-tabs -T,--initial-tab --tabsize= --suppress-blank-empty --no-dereference -N,--new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case -x,--exclude= -X,--exclude-from=r -S,--starting-file= --from-file=r --to-file=r -i,--ignore-case -E,--ignore-tab-expansion -Z,--ignore-trailing-space -b,--ignore-space-change -w,--ignore-all-space -B,--ignore-blank-lines -I,--ignore-matching-lines= -a,--text --strip-trailing-cr -D,--ifdef= -d,--minimal --horizon-lines= --speed-large-files --color=? --palette= -NUM --help -v,--version ~ -r,--recursive ! -l,--paginate",
      od: "read -A,--address-radix= -j,--skip-bytes= -N,--read-bytes= -t,--format= -v,--output-duplicates --endian= -a -b -c -d -x",
      strings:
        "read -a,--all -d,--data -f,--print-file-name -n,--bytes= -NUM -t,--radix= -o -e,--encoding= -w,--include-all-whitespace -s,--output-separator= -U,--unicode= -T,--target=",
      "md5sum sha1sum sha256sum sha512sum shasum base64":
        "read -b,--binary -t,--text -z,--zero --tag -d,-D,--decode -i,--ignore-garbage -w,--wrap= -l= -a,--algorithm= -r -q,--quiet --help --version ~ -c,--check --strict --status --warn --ignore-missing",
      seq: "none -f,--format= -s,--separator= -w,--equal-width -t=",
      "uname arch nproc whoami": "none -a,--all -s -n -r -v -m -p -i -o --ignore= -c -d",
      printenv: "none -0,--null",
      "cd chdir": "home -L -P -e -@",
      "pushd popd dirs": "read -n -l -p -v",
    },
    { readOnly: true },
  ),
  ...programs(
    { echo: "none -n -e -E", printf: "none --help --version > -v=", "true false :": "none" },
    { readOnly: true, stopsAtOperand: true },
  ),
  ...programs(
    { "sleep wait exit return break continue shift": "none" },
    { readOnly: true, proves: hasNoSubscript },
  ),
  program(
    "tree",
    "read -a -d -f -i -x -L= -P= -I= --gitignore --matchdirs --metafirst --ignore-case --noreport --charset= --filelimit= --prune --info --du --si --timefmt= --sort= -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -S -n -C -A -J -X --dirsfirst --filesfirst --inodes --device --nolinks --hintro=r --houtro=r -H= -T= --help --version ~ -l --gitfile=r --infofile=r --fromfile --fromtabfile > -o=w -R",
    { readOnly: true, lists: clustersThatWrite },
  ),

  // The third and fourth operands are numbers of bytes to skip.
  program(
    "cmp",
    "read -b,--print-bytes -i,--ignore-initial= -l,--verbose -n,--bytes= -s,--quiet,--silent --help -v,--version",
    { readOnly: true, proves: ({ operands }) => operands.length <= 2 },
  ),
  program(
    "date gdate",
    "none -d,--date= --debug -I,--iso-8601=? -R,--rfc-email --rfc-3339= -u,--utc,--universal -r,--reference=r --resolution --help --version ~ -f,--file=r -j -v= > -s,--set=",
    { readOnly: true, proves: ({ operands }) => operands.every(({ text }) => text.startsWith("+")) },
  ),
  program("hostname", "none -a -A -d -f -i -I -s -y -V -h --fqdn --short --long > -b -F,--file=r", {
    readOnly: true,
    proves: ({ operands }) => operands.length === 0,
  }),
  program("type", "none -a -f -t -P -p", { readOnly: true, proves: ({ operands }) => operands.length > 0 }),
  // -v and -R evaluate the subscript of an array as arithmetic, which runs substitutions in it.
  program(
    "test [",
    "looks -a -b -c -d -e -f -g -h -k -L -n -N -o -O -G -p -r -s -S -t -u -w -x -z -eq -ne -lt -le -gt -ge -nt -ot -ef ! -v -R",
    { readOnly: true, hasWordFlags: true, proves: hasNoSubscript },
  ),
  program(
    "xxd",
    "filter -a,-autoskip -b,-bits -c,-cols= -C,-capitalize -d -e -E,-EBCDIC -g,-groupsize= -h,-help -i,-include -l,-len= -n,-name= -o= -p,-ps,-postscript,-plain -r,-revert -R= -s,-seek,-skip= -u -v,-version",
    { readOnly: true, hasWordFlags: true },
  ),
  // A module is a file that no argument names.
  program(
    "jq",
    "pattern -n,--null-input -R,--raw-input -s,--slurp -c,--compact-output -r,--raw-output --raw-output0 -j,--join-output -a,--ascii-output -S,--sort-keys -C,--color-output -M,--monochrome-output --tab --indent= --unbuffered --stream --stream-errors --seq -e,--exit-status --arg== --argjson== --slurpfile==r --rawfile==r --args --jsonargs -h,--help -V,--version --build-configuration ~ -f,--from-file=r -L,--library-path=r --argfile==r > -i,--in-place",
    {
      readOnly: true,
      proves: ({ operands }) =>
        !/\b(?:import|include|input_filename|modulemeta|get_search_list)\b/.test(operands[0]?.text ?? ""),
    },
  ),
  program(
    "sed gsed",
    "pattern -n,--quiet,--silent --debug -e,--expression= -E,-r,--regexp-extended --line-length= --posix --sandbox -s,--separate -u,--unbuffered -z,--null-data -a --follow-symlinks --help --version ~ -f,--file=r > -i,-I,--in-place=?",
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
    "pattern -E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -e,--regexp= -f,--file=r -i,-y,--ignore-case --no-ignore-case -v,--invert-match -w,--word-regexp -x,--line-regexp -c,--count --color=? --colour=? -L,--files-without-match -l,--files-with-matches -m,--max-count= -o,--only-matching -q,--quiet,--silent -s,--no-messages -b,--byte-offset -H,--with-filename -h,--no-filename --label= -n,--line-number -T,--initial-tab -Z,-z,--null,--null-data -A,--after-context= -B,--before-context= -C,--context= -NUM -a,--text --binary-files= -D,--devices= -d,--directories= --exclude= --exclude-from=r --exclude-dir= -I --include= --include-dir= -r,--recursive --line-buffered -U,--binary -u,--unix-byte-offsets -O -S -p -V,--version --help --no-group-separator --group-separator= ~ -R,--dereference-recursive ! -J --decompress",
    { readOnly: true, patternFlags: ["-e", "-f"] },
  ),
  program(
    "rg",
    "pattern -e,--regexp= -f,--file=r -A,--after-context= -B,--before-context= -C,--context= --auto-hybrid-regex --no-auto-hybrid-regex --binary --no-binary --block-buffered --no-block-buffered -b,--byte-offset --no-byte-offset -s,--case-sensitive --color= --colors= --column --no-column --context-separator= --no-context-separator -c,--count --count-matches --crlf --no-crlf --debug --dfa-size-limit= -E,--encoding= --no-encoding --engine= --field-context-separator= --field-match-separator= --files -l,--files-with-matches --files-without-match -F,--fixed-strings --no-fixed-strings --no-follow --glob-case-insensitive --no-glob-case-insensitive -g,--glob= --heading --no-heading -h,--help -.,--hidden --no-hidden --hyperlink-format= --iglob= -i,--ignore-case --ignore-file=r --ignore-file-case-insensitive --no-ignore-file-case-insensitive --include-zero --no-include-zero -v,--invert-match --no-invert-match --json --no-json --line-buffered --no-line-buffered -n,--line-number -N,--no-line-number -x,--line-regexp -M,--max-columns= --max-columns-preview --no-max-columns-preview -m,--max-count= -d,--max-depth,--maxdepth= --max-filesize= --mmap --no-mmap -U,--multiline --no-multiline --multiline-dotall --no-multiline-dotall --no-config --no-ignore --ignore --no-ignore-dot --ignore-dot --no-ignore-exclude --ignore-exclude --no-ignore-files --ignore-files --no-ignore-global --ignore-global --no-ignore-messages --ignore-messages --no-ignore-parent --ignore-parent --no-ignore-vcs --ignore-vcs --no-messages --messages --no-require-git --require-git --no-unicode --unicode -0,--null --null-data --one-file-system --no-one-file-system -o,--only-matching --path-separator= --passthru,--passthrough -P,--pcre2 --no-pcre2 --no-pcre2-unicode --pcre2-version --pre-glob= --no-pre -p,--pretty -q,--quiet --regex-size-limit= -r,--replace= -S,--smart-case --sort= --sortr= --sort-files --stats --no-stats --stop-on-nonmatch -a,--text --no-text -j,--threads= --trace --trim --no-trim -t,--type= -T,--type-not= --type-add= --type-clear= --type-list -u,--unrestricted -V,--version --vimgrep -H,--with-filename -I,--no-filename -w,--word-regexp --no-search-zip --generate= ~ -L,--follow ! --pre=x --hostname-bin=x -z,--search-zip",
    { readOnly: true, patternFlags: ["-e", "-f", "--files", "--type-list"] },
  ),
  program(
    "find gfind",
    "roots -P -D= -O0 -O1 -O2 -O3 -daystart -depth -d -ignore_readdir_race -noignore_readdir_race -maxdepth= -mindepth= -mount -nowarn -warn -regextype= -xdev -E -X -s -x -f=r -amin= -anewer=r -atime= -cmin= -cnewer=r -context= -ctime= -empty -executable -false -fstype= -gid= -group= -ilname= -iname= -inum= -ipath= -iregex= -iwholename= -links= -lname= -mmin= -mtime= -name= -newer=r -neweraa=r -newerac=r -neweram=r -newerat= -newerca=r -newercc=r -newercm=r -newerct= -newerma=r -newermc=r -newermm=r -newermt= -nogroup -nouser -path= -perm= -readable -regex= -samefile=r -size= -true -type= -uid= -used= -user= -wholename= -writable -xtype= -ls -print -print0 -printf= -prune -quit -not -a -and -o -or -help --help -version --version ~ -H -L -follow -files0-from=n > -delete -fls=w -fprint=w -fprint0=w -fprintf=w= ! -exec -execdir -ok -okdir",
    {
      readOnly: true,
      hasWordFlags: true,
      inPlace: ["-delete"],
      starts: [{ kind: "until", flags: ["-exec", "-execdir", "-ok", "-okdir"] }],
    },
  ),
  program(
    "fd fdfind",
    "pattern -H,--hidden --no-hidden -I,--no-ignore --ignore -u,--unrestricted --no-ignore-vcs --no-ignore-parent --no-global-ignore-file -s,--case-sensitive -i,--ignore-case -g,--glob --regex -F,--fixed-strings --and= -a,--absolute-path --relative-path -p,--full-path -0,--print0 -d,--max-depth= --min-depth= --exact-depth= -E,--exclude= --prune -t,--type= -e,--extension= -S,--size= --changed-within,--newer= --changed-before,--older= -o,--owner= --format= -c,--color= --hyperlink=? -j,--threads= --max-results= -1 -q,--quiet --show-errors --base-directory=d --path-separator= --search-path=r --strip-cwd-prefix=? --one-file-system -h,--help -V,--version ~ --ignore-file=r ! -x,--exec -X,--exec-batch -l,--list-details",
    { readOnly: true, starts: [{ kind: "until", flags: ["-x", "-X"] }] },
  ),
];

/**
 * The arguments with which a program only prints its version. Not here: programs that run code chosen by the project even
 * then, such as another release of themselves, a plugin or a wrapper.
 */
export const VERSION_PROBES: Lines = {
  "node npm deno bun perl ruby php make gmake docker podman": "--version -v",
  "python python3 pip pip3 uv pipx": "--version -V",
  git: "--version -v version",
  "bash npx uvx cmake ninja meson gcc g++ cc c++ clang clang++ tsc sqlite3 psql mysql apt dpkg brew":
    "--version",
};

/** `tree` takes the values of all letters in a cluster from the following words: in `-Lo 1 out` the second is written. */
function clustersThatWrite({ flags }: Use): Use["operands"] {
  return flags.map(({ word }) => word).filter(({ text }) => /^-[^-].*[oR]/.test(text));
}

function hasNoSubscript({ operands }: Use): boolean {
  return operands.every(({ text }) => !text.includes("["));
}
