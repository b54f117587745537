import type { Word } from "../../../core/command.ts";
import type { Flags, Program, Use } from "./program.ts";

const SSH_FLAGS: Flags = {
  safe: "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -y -b= -B= -c= -D= -e= -J= -L= -l= -m= -O= -p= -P= -Q= -R= -W= -w=",
  opaque: "-i=r -S=",
  writes: "-E=w",
  // The file may set a ProxyCommand; the library is loaded.
  executes: "-o=x -F=r -I=r",
};

/** Network programs. */
export const NETWORK_PROGRAMS: readonly Program[] = [
  {
    names: "curl",
    flags: {
      safe: "-s,--silent -S,--show-error -L,--location -f,--fail --fail-with-body -i,--include -I,--head -v,--verbose -k,--insecure -g,--globoff -G,--get -N,--no-buffer -4,--ipv4 -6,--ipv6 --compressed -X,--request= -H,--header= -A,--user-agent= -e,--referer= -u,--user= -m,--max-time= --connect-timeout= --retry= --retry-delay= -r,--range= -x,--proxy= --resolve= --url= --http1.1 --http2 --no-progress-meter -#,--progress-bar -w,--write-out= --max-redirs= -Z,--parallel --create-dirs",
      opaque:
        "--url-query= --variable= -d,--data,--data-ascii,--data-raw,--data-binary,--data-urlencode= -F,--form= --json= --form-string= -b,--cookie= -n,--netrc --netrc-file=r -E,--cert=r --key=r --cacert=r --capath=r --unix-socket=r -C,--continue-at= -T,--upload-file=r",
      writes:
        "-o,--output=w -O,--remote-name --remote-name-all -J,--remote-header-name -c,--cookie-jar=w -D,--dump-header=w --output-dir=w --trace=w --trace-ascii=w --stderr=w --hsts=w --alt-svc=w --etag-save=w --libcurl=w",
      executes: "-K,--config=r -q,--disable --engine= -Q,--quote=",
    },
    operands: "urls",
    paths: dataFiles,
  },
  {
    names: "wget wget2",
    flags: {
      safe: "-q,--quiet -v,--verbose -nv,--no-verbose -S,--server-response --spider -T,--timeout= -t,--tries= -U,--user-agent= --header= --no-check-certificate -c,--continue -r,--recursive -l,--level= -np,--no-parent -k,--convert-links -p,--page-requisites -m,--mirror --method= --user= --password= --max-redirect= -A,--accept= -R,--reject= -N,--timestamping",
      opaque:
        "-i,--input-file=r --post-data= --body-data= --post-file=r --body-file=r --load-cookies=r --ca-certificate=r --certificate=r --private-key=r",
      writes:
        "-O,--output-document=w -o,--output-file=w -a,--append-output=w -P,--directory-prefix=w --save-cookies=w --warc-file=w --hsts-file=w --rejected-log=w",
      executes: "--use-askpass=x -e,--execute= --config=r",
    },
    operands: "urls",
  },
  {
    names: "ssh autossh mosh slogin rsh dropbear",
    flags: SSH_FLAGS,
    operands: "none",
    stopsAtOperand: true,
    starts: [{ kind: "joined", skip: 1, isRemote: true }],
    lists: proxies,
    ungrantable: "wrapper",
  },
  {
    names: "scp sftp",
    flags: {
      safe: "-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v -c= -D= -l= -J= -P= -X=",
      opaque: "-i=r -b=r",
      executes: "-S=x -o=x -F=r",
    },
    operands: "remote",
    lists: proxies,
  },
  {
    names: "rsync rclone",
    flags: {
      safe: "-v,--verbose -q,--quiet -c,--checksum -a,--archive -r,--recursive -R,--relative -b,--backup -u,--update -l,--links -L,--copy-links -H,--hard-links -p,--perms -E -A -X -o,--owner -g,--group -D -t,--times -O -S -n,--dry-run -W -x -z,--compress -C -h,--human-readable -P --partial --progress --stats --delete --delete-after --delete-before --delete-during --delete-excluded --exclude= --include= -f,--filter= --max-size= --bwlimit= --timeout= --port= -i,--itemize-changes --existing --ignore-existing -m,--prune-empty-dirs --info= --chmod= --chown=",
      opaque: "--files-from=r --exclude-from=r --include-from=r --password-file=r",
      writes:
        "--remove-source-files --log-file=w --backup-dir=w --partial-dir=w -T,--temp-dir=w --write-batch=w --only-write-batch=w",
      executes: "-e,--rsh=x --rsync-path=x --daemon -M,--remote-option= --early-input=r",
    },
    operands: "remote",
  },
  {
    names: "nc ncat netcat",
    flags: {
      safe: "-l -v -n -z -u -4 -6 -k -p= -w= -s=",
      executes: "-e,--exec=x -c,--sh-exec=x --lua-exec=r -U",
    },
    operands: "none",
  },
  {
    names: "socat",
    operands: "none",
    lists: ({ operands }) =>
      operands.filter(({ text }) => /\b(?:exec|system|shell|open|create)\b/i.test(text)),
    ungrantable: "wrapper",
  },
  {
    names:
      "telnet ftp lftp tftp openssl gpg http https httpie xh aria2c axel fetch lynx w3m links elinks gh glab aws gcloud az",
    flags: { executes: "--exec=x -e=" },
    operands: "looks",
  },
  {
    names:
      "ping ping6 traceroute tracepath dig nslookup host whois mtr nmap arp ifconfig ss netstat route tcpdump",
    flags: { executes: "-z=x --script=r", writes: "-w=w -oN=w -oX=w -oG=w -oA=w -K" },
    operands: "none",
  },
];

const SENDS: ReadonlySet<string> = new Set("-d -F --json -b -H -w --url-query --variable".split(" "));

/** `-d @file` and `-F name=@file` send a file, and so does `-b file`; a cookie contains a `=`. */
function dataFiles({ flags, operands }: Use): readonly { readonly word: Word; readonly access: "read" }[] {
  const sent = flags.filter(({ flag }) => SENDS.has(flag.name));
  const files = sent.flatMap(({ values }) =>
    values.flatMap(({ text, literal }) => {
      const file = /^(?:[^=@]*=?)[@<](.+?)(?:;.*)?$/.exec(text)?.[1];
      return file === undefined ? [] : [{ text: file, literal }];
    }),
  );
  const jars = flags
    .filter(({ flag }) => flag.name === "-b")
    .flatMap(({ values }) => values.filter(({ text }) => !/[=@]/.test(text)));
  const urls = operands.filter(({ text }) => /^file:/i.test(text));
  return [...files, ...jars, ...urls].map((word) => ({ word, access: "read" }));
}

/** Settings of ssh that start a local program. */
function proxies({ flags }: Use): readonly Word[] {
  return flags
    .filter(({ flag }) => flag.name === "-o")
    .flatMap(({ values }) => values)
    .filter(({ text }) => /command/i.test(text));
}
