import type { JsonObject } from "../../src/core/json.ts";

/** Where a client finds its model, and the folders it works in. */
export interface Setting {
  /** The address of the model, without a path. */
  readonly url: string;
  readonly home: string;
  readonly prompt: string;
}

/** A client that npm installs, and how it is run without a screen. */
export interface ClientUnderTest {
  readonly title: string;
  readonly package: string;
  /** The name of its program. */
  readonly bin: string;
  /** Its name in `toolwright mcp install`. */
  readonly installer: string;
  /** Files that it needs in its home besides the entry of the gateway, by path. */
  files?(setting: Setting): Readonly<Record<string, JsonObject | string>>;
  /** Arguments of a command that is run before; its name is that of the program. */
  prepare?(setting: Setting): readonly string[];
  args(setting: Setting): readonly string[];
  env?(setting: Setting): Readonly<Record<string, string>>;
  /** What its model does not receive as others do, by part, with the reason. */
  readonly differences?: Readonly<Record<string, string>>;
}

const MODEL = "scripted";

export const CLIENTS_UNDER_TEST: readonly ClientUnderTest[] = [
  {
    title: "Claude Code",
    package: "@anthropic-ai/claude-code",
    bin: "claude",
    installer: "claude-code",
    args: ({ prompt }) => ["-p", prompt, "--model", "claude-sonnet-4-5", "--allowedTools", "mcp__toolwright"],
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  },
  {
    title: "Codex",
    package: "@openai/codex",
    bin: "codex",
    installer: "codex",
    files: ({ url }) => ({
      ".codex/config.toml": [
        `model = "${MODEL}"`,
        "tool_output_token_limit = 100000",
        `model_provider = "${MODEL}"`,
        `[model_providers.${MODEL}]`,
        `name = "${MODEL}"`,
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        "",
      ].join("\n"),
    }),
    args: ({ prompt }) => [
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      prompt,
    ],
  },
  {
    title: "Gemini CLI",
    package: "@google/gemini-cli",
    bin: "gemini",
    installer: "gemini-cli",
    files: () => ({
      ".gemini/settings.json": {
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
      },
    }),
    args: ({ prompt }) => ["-p", prompt, "-m", "gemini-2.5-flash", "--yolo", "--skip-trust"],
    env: ({ url }) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url }),
  },
  {
    title: "opencode",
    package: "opencode-ai",
    bin: "opencode",
    installer: "opencode",
    files: ({ url }) => ({
      ".config/opencode/opencode.json": {
        autoupdate: false,
        provider: {
          [MODEL]: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${url}/v1`, apiKey: "none" },
            models: {
              [MODEL]: {
                attachment: true,
                tool_call: true,
                modalities: { input: ["text", "image"], output: ["text"] },
              },
            },
          },
        },
      },
    }),
    args: ({ prompt }) => ["run", "--auto", "-m", `${MODEL}/${MODEL}`, prompt],
  },
  {
    title: "Qwen Code",
    package: "@qwen-code/qwen-code",
    bin: "qwen",
    installer: "qwen",
    args: ({ prompt, url }) => [
      prompt,
      "--yolo",
      "--auth-type",
      "openai",
      "--openai-api-key",
      "none",
      "--openai-base-url",
      `${url}/v1`,
      // It drops images for models that it does not know.
      "-m",
      "qwen3-vl-plus",
    ],
  },
  {
    title: "Cline",
    package: "cline",
    bin: "cline",
    installer: "cline",
    prepare: ({ url }) => ["auth", "-p", "openai-compatible", "-k", "none", "-m", MODEL, "-b", `${url}/v1`],
    args: ({ prompt }) => [prompt],
    differences: {
      "structured rows": "cuts results of servers to 10 KB itself, and marks it",
      image: "shows its model images of servers as text",
    },
  },
];
