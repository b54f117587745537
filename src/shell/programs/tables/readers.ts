import { program, programs, type Lines } from "./lines.ts";
import type { Program, Use } from "./program.ts";

/** Programs that are proven to only read, as far as their options are `safe`. */
export const readers = (): readonly Program[] => [
  ...programs(
    {
      ls: `read
        -a,--all -A,--almost-all --author -b,--escape --block-size= -B,--ignore-backups -c -C --color=?
        --full-time -d,--directory -D,--dired -f -F,--classify[=] -g -G,--no-group -h,--human-readable
        --si -H --dereference-command-line --dereference-command-line-symlink-to-dir --hide=
        --hyperlink=? --indicator-style= -i,--inode -I,--ignore= -k,--kibibytes -l -m
        -n,--numeric-uid-gid -N,--literal -o -p --file-type -q,--hide-control-chars --show-control-chars
        -Q,--quote-name --quoting-style= -r,--reverse -R,--recursive -s,--size -S --sort= -t --time=
        --time-style= -T,--tabsize= -u -U -v -w,--width= --format= -x -X -Z,--context --zero -1 -@ -e -O
        --group-directories-first --help --version
        ~ -L,--dereference`,
      stat: `read
        -L,--dereference -f,--file-system -c,--format= --printf= -t,--terse --cached= -x --help
        --version`,
      file: `read
        -b,--brief -i,--mime --mime-type --mime-encoding --extension --apple -E -h,--no-dereference
        -k,--keep-going -l,--list -L,--dereference -n,--no-buffer -N,--no-pad -0,--print0
        -p,--preserve-date -r,--raw -s,--special-files -F,--separator= -e,--exclude= -P,--parameter=
        -S,--no-sandbox --help -v,--version
        ~ -m,--magic-file=r -f,--files-from=n
        > -C,--compile
        ! -z,--uncompress -Z,--uncompress-noreport`,
      du: `read
        -0,--null -a,--all --apparent-size -A -B,--block-size= -b,--bytes -c,--total
        -D,--dereference-args -d,--max-depth= -H -h,--human-readable --inodes -k -l,--count-links -m
        -P,--no-dereference -S,--separate-dirs --si -s,--summarize -t,--threshold= --time=?
        --time-style= -x,--one-file-system --exclude= -I= --help --version
        ~ -L,--dereference --files0-from=n -X,--exclude-from=r`,
      pwd: "none -L,--logical -P,--physical --help --version",
      basename: "none -a,--multiple -s,--suffix= -z,--zero --help --version",
      dirname: "none -z,--zero --help --version",
      "realpath grealpath": `read
        -E,--canonicalize -e,--canonicalize-existing -m,--canonicalize-missing -L,--logical
        -P,--physical -q,--quiet --relative-to=r --relative-base=r -s,--strip,--no-symlinks -z,--zero
        --help --version`,
      readlink: `read
        -f,--canonicalize -e,--canonicalize-existing -m,--canonicalize-missing -n,--no-newline
        -q,--quiet -s,--silent -v,--verbose -z,--zero --help --version`,
      which: `none
        -a,--all -s -i,--read-alias --skip-alias --skip-dot --skip-tilde --show-dot --show-tilde
        --tty-only -v,-V,--version --help`,
      "cat gcat": `read
        -A,--show-all -b,--number-nonblank -e -E,--show-ends -n,--number -s,--squeeze-blank -t
        -T,--show-tabs -u -v,--show-nonprinting --help --version`,
      tac: "read -b,--before -r,--regex -s,--separator=",
      rev: "read -0,--zero",
      "head ghead": `read
        -c,--bytes= -n,--lines= -q,--quiet,--silent -v,--verbose -z,--zero-terminated -NUM --help
        --version`,
      "tail gtail": `read
        -c,--bytes= -f --follow=? -F --max-unchanged-stats= -n,--lines= --pid= -q,--quiet,--silent
        --retry -s,--sleep-interval= -v,--verbose -z,--zero-terminated -NUM -r --help --version`,
      wc: `read
        -c,--bytes -m,--chars -l,--lines -L,--max-line-length -w,--words --total= --help --version
        ~ --files0-from=n`,
      nl: `read
        -b,--body-numbering= -d,--section-delimiter= -f,--footer-numbering= -h,--header-numbering=
        -i,--line-increment= -l,--join-blank-lines= -n,--number-format= -p,--no-renumber
        -s,--number-separator= -v,--starting-line-number= -w,--number-width=`,
      cut: `read
        -b,--bytes= -c,--characters= -d,--delimiter= -f,--fields= -n --complement -s,--only-delimited
        --output-delimiter= -z,--zero-terminated -w`,
      tr: "none -c,-C,--complement -d,--delete -s,--squeeze-repeats -t,--truncate-set1 -u",
      "sort gsort": `read
        -b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort
        -i,--ignore-nonprinting -M,--month-sort -h,--human-numeric-sort -n,--numeric-sort
        -R,--random-sort -r,--reverse --sort= -V,--version-sort --batch-size= -c --check=? -C --debug
        -k,--key= -m,--merge -s,--stable -S,--buffer-size= -t,--field-separator= --parallel= -u,--unique
        -z,--zero-terminated --random-source=r --help --version
        ~ --files0-from=n
        > -o,--output=w -T,--temporary-directory=w
        ! --compress-program=x`,
      uniq: `filter
        -c,--count -d,--repeated -D --all-repeated=? -f,--skip-fields= --group=? -i,--ignore-case
        -s,--skip-chars= -u,--unique -z,--zero-terminated -w,--check-chars= -NUM`,
      comm: "read -1 -2 -3 -i --check-order --nocheck-order --output-delimiter= --total -z,--zero-terminated",
      paste: "read -d,--delimiters= -s,--serial -z,--zero-terminated",
      fold: "read -b,--bytes -s,--spaces -w,--width=",
      column: "read -t,--table -s,--separator= -o,--output-separator=",
      "diff gdiff": `read
        --normal -q,--brief -s,--report-identical-files -c -C,--context= -u -U,--unified= -e,--ed
        -n,--rcs -y,--side-by-side -W,--width= --left-column --suppress-common-lines
        -p,--show-c-function -F,--show-function-line= --label= -L= -t,--expand-tabs -T,--initial-tab
        --tabsize= --suppress-blank-empty --no-dereference -N,--new-file --unidirectional-new-file
        --ignore-file-name-case --no-ignore-file-name-case -x,--exclude= -X,--exclude-from=r
        -S,--starting-file= --from-file=r --to-file=r -i,--ignore-case -E,--ignore-tab-expansion
        -Z,--ignore-trailing-space -b,--ignore-space-change -w,--ignore-all-space
        -B,--ignore-blank-lines -I,--ignore-matching-lines= -a,--text --strip-trailing-cr -D,--ifdef=
        -d,--minimal --horizon-lines= --speed-large-files --color=? --palette= -NUM --help -v,--version
        ~ -r,--recursive
        ! -l,--paginate`,
      od: `read
        -A,--address-radix= -j,--skip-bytes= -N,--read-bytes= -t,--format= -v,--output-duplicates
        --endian= -a -b -c -d -x`,
      strings: `read
        -a,--all -d,--data -f,--print-file-name -n,--bytes= -NUM -t,--radix= -o -e,--encoding=
        -w,--include-all-whitespace -s,--output-separator= -U,--unicode= -T,--target=`,
      "md5sum sha1sum sha256sum sha512sum shasum base64": `read
        -b,--binary -t,--text -z,--zero --tag -d,-D,--decode -i,--ignore-garbage -w,--wrap= -l=
        -a,--algorithm= -r -q,--quiet --help --version
        ~ -c,--check --strict --status --warn --ignore-missing`,
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
    `read
    -a -d -f -i -x -L= -P= -I= --gitignore --matchdirs --metafirst --ignore-case --noreport --charset=
    --filelimit= --prune --info --du --si --timefmt= --sort= -q -N -Q -p -u -g -s -h -D -F -v -t -c -U
    -r -S -n -C -A -J -X --dirsfirst --filesfirst --inodes --device --nolinks --hintro=r --houtro=r -H=
    -T= --help --version
    ~ -l --gitfile=r --infofile=r --fromfile --fromtabfile
    > -o=w -R`,
    { readOnly: true, lists: clustersThatWrite },
  ),

  ...programs(
    {
      join: "read -a= -e= -i,--ignore-case -j= -o= -t= -v= -1= -2= --check-order --nocheck-order --header -z,--zero-terminated",
      "hexdump hd": "read -b -c -C,--canonical -d -o -x -e= -n,--length= -s,--skip= -v,--no-squeezing",
      locale: "none -a,--all-locales -m,--charmaps -c,--category-name -k,--keyword-name",
      getconf: "none -a",
      expr: "none",
      "cal ncal": "none -1 -3 -j -m= -y -h -w -s -B= -A=",
    },
    { readsInBox: true },
  ),

  // They show the machine, of which a sandbox has another one: see `showsMachine`.
  ...programs(
    {
      df: `read
        -a,--all -B,--block-size= -h,--human-readable -H,--si -i,--inodes -k -l,--local -m --total
        -t,--type= -P,--portability -T,--print-type -x,--exclude-type= --output=? --sync --help --version`,
      free: "none -b,--bytes -k,--kibi -m,--mebi -g,--gibi -h,--human -w,--wide -l,--lohi -t,--total",
      uptime: "none -p,--pretty -s,--since",
      id: "none -g,--group -G,--groups -n,--name -r,--real -u,--user -z,--zero",
    },
    { readOnly: true },
  ),
  // With the letter e, and no dash, it shows the environment of processes.
  program("ps", "none -A -a -d -e -f -F -l -j -p= -C= -H --forest --sort= --no-headers --ppid=", {
    readOnly: true,
    proves: ({ operands }) => operands.every(({ text }) => /^[afjluwx]+$/.test(text)),
  }),

  // The third and fourth operands are numbers of bytes to skip.
  program(
    "cmp",
    `read
    -b,--print-bytes -i,--ignore-initial= -l,--verbose -n,--bytes= -s,--quiet,--silent --help
    -v,--version`,
    { readOnly: true, proves: ({ operands }) => operands.length <= 2 },
  ),
  program(
    "date gdate",
    `none
    -d,--date= --debug -I,--iso-8601=? -R,--rfc-email --rfc-3339= -u,--utc,--universal -r,--reference=r
    --resolution --help --version
    ~ -f,--file=r -j -v=
    > -s,--set=`,
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
    `looks
    -a -b -c -d -e -f -g -h -k -L -n -N -o -O -G -p -r -s -S -t -u -w -x -z -eq -ne -lt -le -gt -ge -nt
    -ot -ef
    ! -v -R`,
    { readOnly: true, hasWordFlags: true, proves: hasNoSubscript },
  ),
  program(
    "xxd",
    `filter
    -a,-autoskip -b,-bits -c,-cols= -C,-capitalize -d -e -E,-EBCDIC -g,-groupsize= -h,-help -i,-include
    -l,-len= -n,-name= -o= -p,-ps,-postscript,-plain -r,-revert -R= -s,-seek,-skip= -u -v,-version`,
    { readOnly: true, hasWordFlags: true },
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
