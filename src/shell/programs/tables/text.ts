import type { Program } from "./program.ts";
import { isPlainSedUse, sedWordsThatAct } from "./sed-script.ts";

/** Programs that read and print text. */
export const TEXT_PROGRAMS: readonly Program[] = [
  {
    names: "cat gcat",
    flags: {
      safe: "-A,--show-all -b,--number-nonblank -e -E,--show-ends -n,--number -s,--squeeze-blank -t -T,--show-tabs -u -v,--show-nonprinting --help --version",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "tac",
    flags: { safe: "-b,--before -r,--regex -s,--separator=" },
    operands: "read",
    readOnly: true,
  },
  { names: "rev", flags: { safe: "-0,--zero" }, operands: "read", readOnly: true },
  {
    names: "head ghead",
    flags: {
      safe: "-c,--bytes= -n,--lines= -q,--quiet,--silent -v,--verbose -z,--zero-terminated -NUM --help --version",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "tail gtail",
    flags: {
      safe: "-c,--bytes= -f --follow=? -F --max-unchanged-stats= -n,--lines= --pid= -q,--quiet,--silent --retry -s,--sleep-interval= -v,--verbose -z,--zero-terminated -NUM -r --help --version",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "wc",
    flags: {
      safe: "-c,--bytes -m,--chars -l,--lines -L,--max-line-length -w,--words --total= --help --version",
      opaque: "--files0-from=r",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "nl",
    flags: {
      safe: "-b,--body-numbering= -d,--section-delimiter= -f,--footer-numbering= -h,--header-numbering= -i,--line-increment= -l,--join-blank-lines= -n,--number-format= -p,--no-renumber -s,--number-separator= -v,--starting-line-number= -w,--number-width=",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "cut",
    flags: {
      safe: "-b,--bytes= -c,--characters= -d,--delimiter= -f,--fields= -n --complement -s,--only-delimited --output-delimiter= -z,--zero-terminated -w",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "tr",
    flags: { safe: "-c,-C,--complement -d,--delete -s,--squeeze-repeats -t,--truncate-set1 -u" },
    operands: "none",
    readOnly: true,
  },
  {
    names: "sort gsort",
    flags: {
      safe: "-b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort -i,--ignore-nonprinting -M,--month-sort -h,--human-numeric-sort -n,--numeric-sort -R,--random-sort -r,--reverse --sort= -V,--version-sort --batch-size= -c --check=? -C --debug -k,--key= -m,--merge -s,--stable -S,--buffer-size= -t,--field-separator= --parallel= -u,--unique -z,--zero-terminated --random-source=r --help --version",
      opaque: "--files0-from=r",
      writes: "-o,--output=w -T,--temporary-directory=w",
      executes: "--compress-program=x",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "uniq",
    flags: {
      safe: "-c,--count -d,--repeated -D --all-repeated=? -f,--skip-fields= --group=? -i,--ignore-case -s,--skip-chars= -u,--unique -z,--zero-terminated -w,--check-chars= -NUM",
    },
    operands: "filter",
    readOnly: true,
  },
  {
    names: "comm",
    flags: {
      safe: "-1 -2 -3 -i --check-order --nocheck-order --output-delimiter= --total -z,--zero-terminated",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "join",
    flags: { safe: "-a= -e= -i,--ignore-case -j= -o= -t= -v= -1= -2= --header -z,--zero-terminated" },
    operands: "read",
    readOnly: true,
  },
  {
    names: "paste",
    flags: { safe: "-d,--delimiters= -s,--serial -z,--zero-terminated" },
    operands: "read",
    readOnly: true,
  },
  {
    names: "fold fmt",
    flags: { safe: "-b,--bytes -s,--spaces -w,--width=" },
    operands: "read",
    readOnly: true,
  },
  {
    names: "expand unexpand",
    flags: { safe: "-a,--all -i,--initial -t,--tabs=" },
    operands: "read",
    readOnly: true,
  },
  {
    names: "column",
    flags: { safe: "-t,--table -s,--separator= -o,--output-separator= -c= -x -n" },
    operands: "read",
    readOnly: true,
  },
  {
    names: "diff gdiff",
    flags: {
      safe: "--normal -q,--brief -s,--report-identical-files -c -C,--context= -u -U,--unified= -e,--ed -n,--rcs -y,--side-by-side -W,--width= --left-column --suppress-common-lines -p,--show-c-function -F,--show-function-line= --label= -L= -t,--expand-tabs -T,--initial-tab --tabsize= --suppress-blank-empty --no-dereference -N,--new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case -x,--exclude= -X,--exclude-from=r -S,--starting-file= --from-file=r --to-file=r -i,--ignore-case -E,--ignore-tab-expansion -Z,--ignore-trailing-space -b,--ignore-space-change -w,--ignore-all-space -B,--ignore-blank-lines -I,--ignore-matching-lines= -a,--text --strip-trailing-cr -D,--ifdef= -d,--minimal --horizon-lines= --speed-large-files --color=? --palette= -NUM --help -v,--version",
      opaque: "-r,--recursive",
      executes: "-l,--paginate",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "diff3 sdiff",
    flags: { writes: "-o,--output=w", executes: "--diff-program=x" },
    operands: "read",
  },
  {
    names: "cmp",
    flags: {
      safe: "-b,--print-bytes -i,--ignore-initial= -l,--verbose -n,--bytes= -s,--quiet,--silent --help -v,--version",
    },
    operands: "read",
    readOnly: true,
    // The third and fourth operands are numbers of bytes to skip.
    proves: ({ operands }) => operands.length <= 2,
  },
  {
    names: "xxd",
    hasWordFlags: true,
    flags: {
      safe: "-a,-autoskip -b,-bits -c,-cols= -C,-capitalize -d -e -E,-EBCDIC -g,-groupsize= -h,-help -i,-include -l,-len= -n,-name= -o= -p,-ps,-postscript,-plain -r,-revert -R= -s,-seek,-skip= -u -v,-version",
    },
    operands: "filter",
    readOnly: true,
  },
  {
    names: "od",
    flags: {
      safe: "-A,--address-radix= -j,--skip-bytes= -N,--read-bytes= -t,--format= -v,--output-duplicates --endian= -a -b -c -d -x",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "hexdump hd",
    flags: {
      safe: "-b -c -C,--canonical -d -o -x -n,--length= -s,--skip= -v,--no-squeezing",
      opaque: "-e,--format= -f,--format-file=r",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "strings",
    flags: {
      safe: "-a,--all -d,--data -f,--print-file-name -n,--bytes= -NUM -t,--radix= -o -e,--encoding= -w,--include-all-whitespace -s,--output-separator= -U,--unicode= -T,--target=",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names:
      "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 sha1 sha256 sha512 shasum cksum sum base64 base32",
    flags: {
      safe: "-b,--binary -t,--text -z,--zero --tag -d,-D,--decode -i,--ignore-garbage -w,--wrap= -l= -a,--algorithm= -r -q,--quiet --help --version",
      // The file names the files to compare.
      opaque: "-c,--check --strict --status --warn --ignore-missing",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "jq jaq gojq",
    flags: {
      safe: "-n,--null-input -R,--raw-input -s,--slurp -c,--compact-output -r,--raw-output --raw-output0 -j,--join-output -a,--ascii-output -S,--sort-keys -C,--color-output -M,--monochrome-output --tab --indent= --unbuffered --stream --stream-errors --seq -e,--exit-status --arg== --argjson== --slurpfile==r --rawfile==r --args --jsonargs -h,--help -V,--version --build-configuration",
      opaque: "-f,--from-file=r -L,--library-path=r --argfile==r",
      writes: "-i,--in-place",
    },
    operands: "pattern",
    readOnly: true,
    // A module is a file that no argument names.
    proves: ({ operands }) =>
      !/\b(?:import|include|input_filename|modulemeta|get_search_list)\b/.test(operands[0]?.text ?? ""),
  },
  {
    names: "yq",
    flags: {
      safe: "-P,--prettyPrint -r,--unwrapScalar[=] -o,--output-format= -p,--input-format= -n,--null-input -C,--colors -M,--no-colors -e,--exit-status -N,--no-doc -I,--indent= -j,--tojson -y -c -s -V,--version -h,--help",
      opaque: "--from-file=r",
      writes: "-i,--inplace,--in-place --split-exp=",
    },
    operands: "pattern",
    inPlace: ["-i"],
  },
  {
    names: "sed gsed",
    flags: {
      safe: "-n,--quiet,--silent --debug -e,--expression= -E,-r,--regexp-extended --line-length= --posix --sandbox -s,--separate -u,--unbuffered -z,--null-data -a --follow-symlinks --help --version",
      opaque: "-f,--file=r",
      writes: "-i,-I,--in-place=?",
    },
    operands: "pattern",
    patternFlags: ["-e", "-f"],
    inPlace: ["-i"],
    readOnly: true,
    proves: isPlainSedUse,
    lists: sedWordsThatAct,
  },
  {
    names: "awk gawk mawk nawk original-awk goawk",
    flags: {
      safe: "-F,--field-separator= -v,--assign= -b,--characters-as-bytes -c,--traditional -S,--sandbox -O,--optimize -P,--posix -r,--re-interval -n,--non-decimal-data -V,--version",
      opaque: "-f,--file=r -E,--exec=r",
      writes: "-o,--pretty-print=w? -d,--dump-variables=w? -p,--profile=w?",
      executes: "-i,--include=r -l,--load=r -e,--source=",
    },
    operands: "pattern",
    patternFlags: ["-f", "-E", "-e"],
    lists: ({ operands }) => operands.slice(0, 1).filter(({ text }) => /system|getline|[|>]|@/.test(text)),
    ungrantable: "interpreter",
  },
  {
    names: "echo",
    operands: "none",
    readOnly: true,
    stopsAtOperand: true,
    flags: { safe: "-n -e -E" },
  },
  {
    names: "printf",
    flags: { safe: "--help --version", writes: "-v=" },
    operands: "none",
    stopsAtOperand: true,
    readOnly: true,
  },
  {
    names: "seq",
    flags: { safe: "-f,--format= -s,--separator= -w,--equal-width -t=" },
    operands: "none",
    readOnly: true,
  },
  { names: "expr", operands: "none", readOnly: true },
  {
    names: "iconv",
    flags: { safe: "-f,--from-code= -t,--to-code= -l,--list -c -s", writes: "-o,--output=w" },
    operands: "read",
    readOnly: true,
  },
  { names: "envsubst", operands: "none", readOnly: true },
  {
    names: "less more most bat batcat pg",
    flags: { writes: "-o,-O,--log-file=w", executes: "-k,--lesskey-file=r --pager=x --lesskey-src=r" },
    operands: "read",
    lists: ({ operands }) => operands.filter(({ text }) => text.startsWith("+")),
  },
];
