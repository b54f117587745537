/** Files whose contents need approval in every mode, and files like them that do not. */
export interface ProtectedGroup {
  readonly what: string;
  /**
   * Paths anywhere, a file of the home folder if it begins with `~/`, or from the root if they begin with a slash. One that ends with a slash is a folder
   * with everything in it; `*` stands for any part of a name, and case does not matter.
   */
  readonly paths: readonly string[];
  readonly except: readonly string[];
}

/** The one table of files that are protected for reading; docs/policy.md shows it. */
export const PROTECTED_READS: readonly ProtectedGroup[] = [
  group(
    "SSH and GPG keys",
    ".ssh/, .gnupg/, id_rsa, id_dsa, id_ecdsa, id_ed25519, id_ecdsa_sk, id_ed25519_sk, ssh_host_*_key",
    "*.pub, known_hosts*, authorized_keys",
  ),
  group(
    "private keys and key stores",
    "*.pem, *.key, *.p12, *.pfx, *.jks, *.keystore, *.ppk, *.kdbx, .password-store/, .local/share/keyrings/, Library/Keychains/, /etc/ssl/private/",
    "*cert.pem, *-cert*.pem, cert*.pem, ca.pem, ca-*.pem, *-ca.pem, cacert*.pem, chain*.pem, fullchain*.pem, public*.pem, *.pub.pem, public*.key",
  ),
  group(
    "environment files",
    ".env, .env.*",
    ".env.example, .env.sample, .env.template, .env.dist, .env.*.example, .env.*.sample, .env.*.template, .env.*.dist",
  ),
  group(
    "credentials of clouds and clusters",
    ".aws/, .azure/, .config/gcloud/, .kube/, .oci/, .config/doctl/, .fly/, .boto, .s3cfg, .terraformrc, .terraform.d/credentials.tfrc.json, .vault-token",
  ),
  group(
    "tokens of tools",
    ".config/gh/, .config/glab-cli/, .config/hub, .git-credentials, .config/git/credentials, .netrc, _netrc, ~/.npmrc, ~/.yarnrc.yml, .pypirc, .docker/config.json, " +
      ".cargo/credentials, .cargo/credentials.toml, .gem/credentials, ~/.m2/settings.xml, ~/.gradle/gradle.properties, .pgpass, .my.cnf, " +
      ".toolwright/keys.json, .claude/.credentials.json, .codex/auth.json, .gemini/oauth_creds.json, .config/rclone/rclone.conf",
  ),
  group(
    "browser profiles",
    ".mozilla/, .thunderbird/, .config/google-chrome/, .config/chromium/, .config/BraveSoftware/, .config/microsoft-edge/, .config/vivaldi/, .config/opera/, " +
      "snap/firefox/, snap/chromium/, Library/Application Support/Firefox/, Library/Application Support/Google/Chrome/, Library/Cookies/",
  ),
  group(
    "secrets of the system",
    "/etc/shadow, /etc/shadow-, /etc/gshadow, /etc/gshadow-, /etc/sudoers, /etc/sudoers.d/, /etc/security/opasswd, /etc/krb5.keytab, /etc/wireguard/, " +
      "/etc/NetworkManager/system-connections/, /etc/ppp/*-secrets, /proc/*/environ, /proc/*/mem",
  ),
  group(
    "devices, and links of the kernel by which processes reach other files",
    "/dev/, /proc/kcore, /proc/kmsg, /proc/*/root/, /proc/*/cwd/, /proc/*/fd/, /proc/*/map_files/, /proc/*/task/",
    "/dev/null, /dev/zero, /dev/full, /dev/random, /dev/urandom, /dev/tty, /dev/stdin, /dev/stdout, /dev/stderr, /dev/fd/, /dev/shm/, /dev/pts/",
  ),
];

function group(what: string, paths: string, except = ""): ProtectedGroup {
  return { what, paths: split(paths), except: split(except) };
}

function split(list: string): readonly string[] {
  return list.split(", ").filter((one) => one !== "");
}
