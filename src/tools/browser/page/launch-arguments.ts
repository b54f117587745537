import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { ToolError } from "../../../core/errors.ts";
import type { ForwardProxyOptions } from "../../../system/fetch/forward-proxy.ts";
import { loadCrypto } from "../../../system/crypto.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import type { BrowserOptions } from "./options.ts";

export interface LaunchOptions extends Pick<BrowserOptions, "browser" | "environment" | "stateFolder"> {
  readonly network: Omit<ForwardProxyOptions, "socketPath">;
  /** The keys of certificates that are trusted: base64 of their SHA-256. */
  readonly trustedKeys: readonly string[];
}

/** As root and outside bubblewrap, the browser's own sandbox does not work. */
export function isBare(isBoxed: boolean): boolean {
  return !isBoxed && process.getuid?.() === 0;
}

/** What playwright expects of a browser, and nothing that goes around the proxy or that nobody asked for. */
export function argumentsOf(
  { trustedKeys, browser = {} }: LaunchOptions,
  isBoxed: boolean,
): readonly string[] {
  const keys = [...trustedKeys, ...(browser.certificates ?? []).flatMap(keysIn)];
  return [
    "--headless",
    "--remote-debugging-pipe",
    "--no-startup-window",
    // Also for loopback, which is not proxied otherwise. What is not proxied is not found.
    `--proxy-bypass-list=${["<-loopback>", NOWHERE, ...OWN_HOSTS].join(";")}`,
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    ...(keys.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${keys.join(",")}`]),
    ...(isBare(isBoxed) ? ["--no-sandbox"] : []),
    ...SWITCHES,
  ];
}

const NOWHERE = "off.invalid";

/** Hosts that only the browser itself talks to, whatever its switches say: updates, dictionaries, messages of its maker. */
const OWN_HOSTS = [
  "update.googleapis.com",
  "clientservices.googleapis.com",
  "optimizationguide-pa.googleapis.com",
  "safebrowsing.googleapis.com",
  "content-autofill.googleapis.com",
  "android.clients.google.com",
  "clients2.google.com",
  "*.gvt1.com",
];

const SWITCHES = [
  // Its accounts and messages; pages reach those hosts.
  `--gaia-url=https://${NOWHERE}`,
  `--gcm-checkin-url=https://${NOWHERE}/`,
  `--gcm-registration-url=https://${NOWHERE}/`,
  `--gcm-mcs-endpoint=${NOWHERE}:443`,
  ...(
    "allow-pre-commit-input disable-back-forward-cache disable-background-networking disable-background-timer-throttling " +
    "disable-backgrounding-occluded-windows disable-breakpad disable-client-side-phishing-detection " +
    "disable-component-extensions-with-background-pages disable-component-update disable-default-apps disable-dev-shm-usage " +
    "disable-extensions disable-field-trial-config disable-gpu disable-hang-monitor disable-ipc-flooding-protection " +
    "disable-popup-blocking disable-prompt-on-repost disable-renderer-backgrounding disable-search-engine-choice-screen " +
    "disable-sync force-color-profile=srgb hide-scrollbars metrics-recording-only mute-audio no-default-browser-check " +
    "no-first-run no-service-autorun password-store=basic use-mock-keychain"
  )
    .split(" ")
    .map((name) => `--${name}`),
  "--disable-features=AimEnabled,AimServerEligibilityEnabled,AimServerRequestOnStartupEnabled,AutofillServerCommunication," +
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades," +
    "HttpsFirstBalancedModeAutoEnable,MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch," +
    "ThirdPartyStoragePartitioning,Translate",
  "--enable-features=CDPScreenshotNewSurface",
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
];

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Returns the keys of the certificates in a PEM file. Throws `INVALID_INPUT` if there are none. */
function keysIn(file: string): readonly string[] {
  try {
    const certificates = readFileSync(file, "utf8").match(PEM) ?? [];
    if (certificates.length === 0) throw new Error("it contains no certificate");
    return certificates.map((pem) => {
      const { X509Certificate } = loadCrypto();
      const key = new X509Certificate(pem).publicKey.export({ type: "spki", format: "der" });
      return createHash("sha256").update(key).digest("base64");
    });
  } catch (cause) {
    const message = `the certificate file ${file} cannot be used: ${errorMessage(cause)}`;
    throw new ToolError("INVALID_INPUT", message, {
      hint: 'see "certificates" of "browser" in the config',
      cause,
    });
  }
}
