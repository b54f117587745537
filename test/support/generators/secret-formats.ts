/** A secret and the text around it. */
export interface SecretCase {
  readonly format: string;
  readonly before: string;
  readonly secret: string;
  readonly after: string;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";
const CAPITALS = LETTERS.slice(26) + DIGITS;

type Random = ReturnType<typeof createRandom>;
type Parts = string | readonly [before: string, secret: string, after?: string];

/** The formats of a review, by name. Their secrets are made at run time from parts: none is written anywhere. */
const FORMATS: Readonly<Record<string, (random: Random) => Parts>> = {
  "1Password key": ({ text }) =>
    `A3-${text(6, CAPITALS)}-${text(11, CAPITALS)}-${text(5, CAPITALS)}-${text(5, CAPITALS)}-${text(5, CAPITALS)}`,
  "age key": ({ text }) => `AGE-SECRET-KEY-1${text(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")}`,
  "Anthropic key": ({ text }) => `sk-ant-api03-${text(93)}AA`,
  "Authorization header": ({ hex }) => ["Authorization: Bearer ", hex(40)],
  "AWS key id": ({ text }) => `AKIA${text(16, `${LETTERS.slice(26)}234567`)}`,
  "AWS secret": ({ text }) => ["aws_secret_access_key = ", text(40)],
  "Azure account key": ({ text }) => ["AccountName=x;AccountKey=", `${text(86)}==`, ";EndpointSuffix=core"],
  "Azure client secret": ({ text }) => `${text(3)}8Q~${text(34)}`,
  "basic login": ({ text }) => ["Authorization: Basic ", Buffer.from(`bob:${text(10)}1`).toString("base64")],
  "Cloudflare token": ({ text }) => ["CF_API_TOKEN=", text(40)],
  cookie: ({ hex }) => ["Cookie: theme=dark; session=", hex(32)],
  "cookie that is set": ({ text }) => ["Set-Cookie: sid=", `${text(31)}7`, "; Path=/; HttpOnly"],
  "Databricks token": ({ hex }) => `dapi${hex(32)}`,
  "DigitalOcean token": ({ hex }) => `dop_v1_${hex(64)}`,
  "Discord token": ({ text }) => `MT${text(23)}4.${text(6)}.${text(38)}`,
  "Discord webhook": ({ text }) => ["https://discord.com/api/webhooks/123456789012345678/", text(68)],
  "Docker Hub token": ({ text }) => `dckr_pat_${text(27)}`,
  "flag of a command": ({ text }) => ["mysql --password ", `${text(11)}5`],
  form: ({ text }) => ["user=bob&password=", `${text(9)}2x`, "&x=1"],
  "GitHub token": ({ text }) => `ghp_${text(36)}`,
  "GitHub token, joined": ({ text }) => ["x_", `ghp_${text(36)}`],
  "GitHub fine-grained token": ({ text }) => `github_pat_${text(22)}_${text(59)}`,
  "GitLab token": ({ text }) => `glpat-${text(20)}`,
  "GitLab runner token": ({ text }) => `glrt-${text(20)}`,
  "Google key": ({ text }) => `AIza${text(35)}`,
  "Google token": ({ text }) => `ya29.${text(60)}`,
  "Grafana token": ({ text, hex }) => `glsa_${text(32)}_${hex(8)}`,
  "Heroku key": ({ uuid }) => ["HEROKU_API_KEY=", uuid()],
  "Hugging Face token": ({ text }) => `hf_${text(34)}`,
  "JSON field": ({ text }) => ['{"password":"', `${text(11)}3`, '"}'],
  "JSON in JSON": ({ text }) => ['"{\\"token\\":\\"', `${text(29)}1`, '\\"}"'],
  "JSON web token": ({ text }) => `eyJ${text(30)}.eyJ${text(60)}.${text(43)}`,
  "Linear key": ({ text }) => `lin_api_${text(40)}`,
  "login of curl": ({ text }) => ["curl -u admin:", `${text(11)}1`],
  "Mailchimp key": ({ hex }) => `${hex(32)}-us12`,
  "Mailgun key": ({ hex }) => `key-${hex(32)}`,
  ".netrc": ({ text }) => ["machine h.test login bob password ", text(12)],
  "New Relic key": ({ text }) => `NRAK-${text(27, CAPITALS)}`,
  "npm token": ({ text }) => `npm_${text(36)}`,
  "npm token of a registry": ({ uuid }) => ["//registry.npmjs.org/:_authToken=", uuid()],
  "OpenAI key": ({ text }) => `sk-proj-${text(48)}`,
  "password in a URL": ({ text }) => ["redis://:", text(12), "@h:1/0"],
  "password in quotes": ({ text }) => ['password = "', `${text(11)}1`, '"'],
  "PyPI token": ({ text }) => `pypi-AgEIcHlwaS5vcmc${text(80)}`,
  "RubyGems key": ({ hex }) => `rubygems_${hex(48)}`,
  "SendGrid key": ({ text }) => `SG.${text(22)}.${text(43)}`,
  "Shopify token": ({ hex }) => `shpat_${hex(32)}`,
  "Slack app token": ({ text, hex }) => `xapp-1-A${text(10, CAPITALS)}-${text(13, DIGITS)}-${hex(64)}`,
  "Slack bot token": ({ text }) => `xoxb-${text(12, DIGITS)}-${text(12, DIGITS)}-${text(24)}`,
  "Slack webhook": ({ text }) => [
    "https://hooks.slack.com/services/",
    `T${text(9, CAPITALS)}/B${text(9, CAPITALS)}/${text(24)}`,
  ],
  "Stripe key": ({ text }) => `sk_live_${text(24)}`,
  "Stripe webhook secret": ({ text }) => `whsec_${text(32)}`,
  "Telegram token": ({ text }) => ["1234567890:", `AA${text(32)}9`],
  "Terraform token": ({ text }) => `${text(14)}.atlasv1.${text(67)}`,
  "Twilio key": ({ hex }) => `SK${hex(32)}`,
  "Vault token": ({ text }) => `hvs.${text(90)}`,
  "XML element": ({ text }) => ["<password>", `${text(11)}6`, "</password>"],
  "YAML field": ({ text }) => ["  db_password: ", `${text(9)}4xY`],
};

/** Yields secrets of every format, the same ones for the same seed. */
export function* secretCases(seed: number): Generator<SecretCase> {
  const random = createRandom(seed);
  for (const [format, make] of Object.entries(FORMATS)) {
    const parts = make(random);
    const [before, secret, after = ""] = typeof parts === "string" ? ["", parts] : parts;
    yield { format, before, secret, after };
  }
}

/** Returns lines of PEM with the header and the end of a private key. */
export function privateKey(seed: number, kind = "RSA PRIVATE KEY"): readonly string[] {
  const { text } = createRandom(seed);
  const body = Array.from({ length: 12 }, () => text(64, `${LETTERS}${DIGITS}+/`));
  return [`-----BEGIN ${kind}-----`, ...body, `${text(26)}==`, `-----END ${kind}-----`];
}

function createRandom(seed: number) {
  let state = seed;
  const next = (): number =>
    (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff) / 0x80_00_00_00;
  const text = (length: number, alphabet = LETTERS + DIGITS): string =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
  const hex = (length: number): string => text(length, "0123456789abcdef");
  return { text, hex, uuid: () => [8, 4, 4, 4, 12].map(hex).join("-") };
}
