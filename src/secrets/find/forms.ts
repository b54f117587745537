/** A form of token that is told by its text alone. */
export interface Form {
  readonly name: string;
  /** What a token begins with, at least two characters: the text is only compared with the pattern where one of them is found. */
  readonly starts: readonly string[];
  /** What is masked; a lookbehind may check what is before it. */
  readonly pattern: RegExp;
  /** How many characters before the start the pattern begins. */
  readonly back: number;
  /** Needs digits and letters in no obvious order: the start alone is common in ordinary text. */
  readonly isRandom?: true;
}

/** A run of letters, digits, `.`, `_`, `-` and `~` shorter than this is no token. */
export const MIN_TOKEN = 16;

/** The characters after a start: letters and digits, or those and `_` and `-`. */
const hex = (least: number): string => `[0-9a-f]{${least}}(?![0-9A-Za-z])`;
const word = (least: number): string => `[0-9A-Za-z]{${least},}`;
const dashed = (least: number): string => `[0-9A-Za-z_-]{${least},}`;

const IS_RANDOM = { isRandom: true } as const;
const DIGITS = "0123456789";
const ALPHANUMERIC = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** The base64 of an id of digits begins with one of these. */
const DISCORD = ["M", "N", "O"].flatMap((first) => pairs(first, "DTjz"));

/** Every form, by issuer. docs/secrets.md lists them. */
export const FORMS: readonly Form[] = [
  form(
    "1Password secret key",
    ["A3-"],
    "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
  ),
  form("1Password service account token", ["ops_"], `eyJ[0-9A-Za-z+/]{100,}={0,3}`),
  form("Adobe client secret", ["p8e-"], word(32)),
  form("age secret key", ["AGE-SECRET-KEY-1", "AGE-PLUGIN-"], "[0-9A-Z-]{30,}"),
  form("Airtable token", ["pat"], `[0-9A-Za-z]{14}\\.${hex(64)}`),
  form("Alibaba access key", ["LTAI"], "[0-9A-Za-z]{12,24}(?![0-9A-Za-z_-])", IS_RANDOM),
  form("Anthropic key", ["sk-ant-"], dashed(16)),
  form("Artifactory key", ["AKCp"], "[0-9A-Za-z]{60,}"),
  form("Artifactory reference token", ["cmVmd"], word(59)),
  form("Asana token", pairs("1", DIGITS), {
    whole: "(?<=(?<![0-9A-Za-z/])[12]/(?:\\d+/)?)\\d{14,}:[0-9a-f]{32}",
  }),
  form("Atlassian token", ["ATATT3", "ATCTT3", "ATBB"], "[0-9A-Za-z_=-]{24,}"),
  form(
    "Authress key",
    ["sc_", "ext_", "scauth_", "authress_"],
    "[0-9A-Za-z]{5,30}\\.[0-9A-Za-z]{4,6}\\.acc[_-][0-9a-z-]{10,32}\\.[0-9A-Za-z+/_=-]{30,120}",
  ),
  form("AWS access key", ["AKIA", "ASIA", "ABIA", "ACCA", "A3T"], "[0-9A-Z]{16,17}(?![0-9A-Za-z])"),
  form("AWS Bedrock key", ["ABSK", "bedrock-api-key-"], "[0-9A-Za-z+/]{40,}={0,2}"),
  form("Azure client secret", ["Q~"], {
    whole: "(?<![0-9A-Za-z_~.-])[0-9A-Za-z_~.]{3}\\dQ~[0-9A-Za-z_~.-]{31,34}",
    back: 4,
  }),
  form("Brevo key", ["xkeysib-", "xsmtpsib-"], "[0-9a-f]{64}-[0-9A-Za-z]{16}"),
  form("Buildkite token", ["bkua_"], hex(40)),
  form("CircleCI token", ["CCIPAT_"], "[0-9A-Za-z]{22}_[0-9a-f]{40}"),
  form("ClickHouse key", ["4b1d"], "(?=[0-9a-f]*[A-Zg-z])[0-9A-Za-z]{38}(?![0-9A-Za-z])", IS_RANDOM),
  form("Clojars token", ["CLOJARS_"], "[0-9A-Za-z]{60}"),
  form("Cloudflare origin key", ["v1.0-"], "[0-9a-f]{24}-[0-9a-f]{100,}"),
  form("Databricks token", ["dapi"], "[0-9a-f]{32}(?:-\\d)?(?![0-9A-Za-z])"),
  form("DigitalOcean token", ["dop_v1_", "doo_v1_", "dor_v1_"], "[0-9a-f]{40,}"),
  form("Discord bot token", DISCORD, {
    whole: "[0-9A-Za-z_-]{22,28}\\.[0-9A-Za-z_-]{6}\\.[0-9A-Za-z_-]{27,}",
    ...IS_RANDOM,
  }),
  form("Docker Hub token", ["dckr_pat_", "dckr_oat_"], dashed(20)),
  form("Doppler token", ["dp."], "(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[0-9A-Za-z]{40,44}"),
  form("Duffel token", ["duffel_"], "(?:test|live)_[0-9A-Za-z_=-]{40,}"),
  form("Dynatrace token", ["dt0c01."], "[0-9A-Za-z]{24}\\.[0-9A-Za-z]{64}"),
  form("EasyPost key", ["EZAK", "EZTK"], word(54)),
  form("Facebook token", ["EAAM", "EAAC", "EAAB"], word(80)),
  form("Figma token", ["figd_", "figu_"], dashed(36)),
  form("Flutterwave key", ["FLWSECK-", "FLWSECK_TEST-", "FLWPUBK_TEST-"], "[0-9A-Za-z]{12,}(?:-X)?"),
  form("Fly.io token", ["fo1_", "fm1a_", "fm1r_", "fm2_"], "[0-9A-Za-z_+/-]{40,}={0,3}"),
  form("Frame.io token", ["fio-u-"], "[0-9A-Za-z_=-]{60,}"),
  form("GitHub token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], word(20)),
  form("GitHub fine-grained token", ["github_pat_"], "[0-9A-Za-z_]{20,}"),
  form(
    "GitLab token",
    "glpat- gldt- glffct- glft- glimt- glagent- gloas- glptt- glrt- glsoat- glcbt- glrtr- glwt-".split(" "),
    "[0-9A-Za-z_-]{16,}(?:\\.[0-9a-z]{9})?",
  ),
  form("GitLab runner registration token", ["GR1348941"], dashed(16)),
  form("Google API key", ["AIza"], dashed(30)),
  form("Google OAuth token", ["ya29."], dashed(20)),
  form("Google OAuth client secret", ["GOCSPX-"], dashed(20)),
  form("Google refresh token", pairs("0", ALPHANUMERIC), {
    whole: "(?<=(?<![0-9A-Za-z/])1//)0[0-9A-Za-z_-]{30,}",
  }),
  form("Grafana token", ["glc_", "glsa_"], "[0-9A-Za-z+/_]{32,}={0,3}"),
  form("Groq key", ["gsk_"], word(40)),
  form("Harness token", ["pat.", "sat."], "[0-9A-Za-z_-]{22}\\.[0-9A-Za-z]{24}\\.[0-9A-Za-z]{20}"),
  form("Heroku key", ["HRKU-"], dashed(30)),
  form("HubSpot token", ["pat-na1-", "pat-na2-", "pat-eu1-"], "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
  form("Hugging Face token", ["hf_", "api_org_"], word(20)),
  form("Infracost key", ["ico-"], `[0-9A-Za-z]{32}(?![0-9A-Za-z])`, IS_RANDOM),
  form("Intra42 secret", ["s-s4t2ud-", "s-s4t2af-"], "[0-9a-f]{64}"),
  form("JSON web token", ["eyJ"], "[0-9A-Za-z_-]{10,1000}\\.[0-9A-Za-z_-]{10,}\\.[0-9A-Za-z_-]{10,}"),
  form("JSON web token in base64", ["ZXlK"], "[0-9A-Za-z+/_-]{60,}={0,2}"),
  form("LaunchDarkly key", ["sdk-", "api-", "mob-"], "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
  form("Linear key", ["lin_api_", "lin_oauth_"], word(32)),
  form("Lob key", ["live_", "test_"], "(?:pub_)?[0-9a-f]{31,40}(?![0-9A-Za-z])", IS_RANDOM),
  form("Mailchimp key", ["us"], {
    whole: "(?<![0-9A-Za-z])[0-9a-f]{32}-us\\d{1,2}(?![0-9A-Za-z])",
    back: 33,
  }),
  form("Mailgun key", ["key-", "pubkey-"], hex(32)),
  form("Mapbox token", ["sk.eyJ", "pk.eyJ", "tk.eyJ"], "[0-9A-Za-z]{40,400}\\.[0-9A-Za-z_-]{20,}"),
  form("MaxMind key", ["mmk"], { whole: "[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk(?![0-9A-Za-z])", back: 37 }),
  form("New Relic key", ["NRAK-", "NRII-", "NRJS-", "NRRA-", "NRIQ-", "NRAA-"], "[0-9A-Za-z-]{19,}"),
  form("Notion token", ["ntn_", "secret_"], "[0-9A-Za-z]{40,50}(?![0-9A-Za-z])", IS_RANDOM),
  form("npm token", ["npm_"], word(30)),
  form("Octopus Deploy key", ["API-"], "[0-9A-Z]{26}(?![0-9A-Za-z])"),
  form("OpenAI key", ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-"], dashed(16)),
  form("key of a model provider or payment service", ["sk-", "pk-", "rk-"], dashed(16), IS_RANDOM),
  form("OpenShift token", ["6~"], { whole: "sha256~[0-9A-Za-z_-]{40,}", back: 5 }),
  form("Perplexity key", ["pplx-"], word(40)),
  form(
    "Plaid token",
    ["access-sandbox-", "access-development-", "access-production-"],
    "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
  ),
  form("PlanetScale token", ["pscale_tkn_", "pscale_oauth_", "pscale_pw_"], "[0-9A-Za-z_=.-]{32,}"),
  form("Postman key", ["PMAK-"], "[0-9a-f]{24}-[0-9a-f]{34}"),
  form("Prefect key", ["pnu_", "pnb_"], word(36)),
  form("Pulumi token", ["pul-"], hex(40)),
  form("PyPI token", ["pypi-"], dashed(50)),
  form("ReadMe key", ["rdme_"], "[0-9a-z]{60,}"),
  form("Replicate token", ["r8_"], word(36)),
  form("RubyGems key", ["rubygems_"], "[0-9a-f]{40,}"),
  form("Scalingo token", ["tk-us-"], dashed(40)),
  form("SendGrid key", ["SG."], "[0-9A-Za-z_-]{16,32}\\.[0-9A-Za-z_-]{30,50}"),
  form("Sentry token", ["sntryu_", "sntrys_"], "[0-9A-Za-z+/=_]{40,}"),
  form("SettleMint token", ["sm_aat_", "sm_pat_", "sm_sat_"], word(16)),
  form("Shippo token", ["shippo_live_", "shippo_test_"], "[0-9A-Fa-f]{40}"),
  form("Shopify token", ["shpat_", "shpca_", "shppa_", "shpss_"], "[0-9A-Fa-f]{32}"),
  form(
    "Slack token",
    "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxd- xoxc-".split(" "),
    "[0-9A-Za-z%-]{10,}",
  ),
  form("Slack configuration token", ["xoxe."], "xox[bp]-[0-9A-Za-z-]{20,}"),
  form("Slack app token", ["xapp-"], "\\d-[0-9A-Z]+-\\d+-[0-9A-Za-z]{20,}"),
  form("Sonar token", ["squ_", "sqp_", "sqa_"], word(40)),
  form("Sourcegraph token", ["sgp_"], "(?:[0-9A-Fa-f]{16}_|local_)?[0-9A-Fa-f]{40}"),
  form("Square token", ["sq0atp-", "sq0csp-", "EAAA"], dashed(22), IS_RANDOM),
  form("Stripe key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_".split(" "), word(10)),
  form("Stripe webhook secret", ["whsec_"], "[0-9A-Za-z+/]{24,}={0,2}"),
  form("Supabase token", ["sbp_", "sb_secret_"], dashed(20), IS_RANDOM),
  form("Telegram bot token", ["AA"], {
    whole: "(?<=(?<!\\d)\\d{8,10}:)AA[0-9A-Za-z_-]{33}(?![0-9A-Za-z_-])",
  }),
  form("Terraform Cloud token", ["atlasv1."], {
    whole: "[0-9A-Za-z]{14}\\.atlasv1\\.[0-9A-Za-z_=-]{60,}",
    back: 15,
  }),
  form("Twilio key", ["SK"], hex(32)),
  form("Typeform token", ["tfp_"], "[0-9A-Za-z_.=-]{40,}"),
  form("Vault token", ["hvs.", "hvb.", "hvr."], dashed(20)),
  form("Vault token, older", ["s."], "(?=[A-Za-z]{0,23}[0-9])[0-9A-Za-z]{24}(?![0-9A-Za-z_.(-])", IS_RANDOM),
  form("xAI key", ["xai-"], word(60)),
  form("Yandex key", ["AQVN", "t1."], "[0-9A-Za-z_-]{35,}(?:={0,2}\\.[0-9A-Za-z_-]{86}={0,2})?", IS_RANDOM),
];

interface Details {
  readonly isRandom?: true;
  readonly back?: number;
}

/** `rest` is the pattern of what follows a start, or `whole` that of everything. */
function form(
  name: string,
  starts: readonly string[],
  rest: string | ({ readonly whole: string } & Details),
  details: Details = typeof rest === "string" ? {} : rest,
): Form {
  const start = starts.map((one) => one.replaceAll(".", "\\.")).join("|");
  const source = typeof rest === "string" ? `(?:${start})${rest}` : rest.whole;
  const { isRandom, back = 0 } = details;
  const made = { name, starts, pattern: new RegExp(source, "y"), back };
  return isRandom === undefined ? made : { ...made, isRandom };
}

function pairs(first: string, seconds: string): readonly string[] {
  return seconds.split("").map((second) => first + second);
}
