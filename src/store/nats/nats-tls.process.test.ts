import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { answer, call } from "../../app/host/testing/contracts/journal-calls.ts";
import { startNats } from "../../../test/support/servers/nats.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { connectFleet } from "../../remote/fleet/connect.ts";
import { openStoreInNats } from "./open-nats-store.ts";

/** Makes an authority and a certificate of it for localhost and an address, for server and client alike. */
function makeCertificates(folder: string, address: string) {
  const [ca, caKey, cert, key, request] = ["ca.pem", "ca.key", "cert.pem", "cert.key", "cert.csr"].map(
    (name) => join(folder, name),
  ) as [string, string, string, string, string];
  const openssl = (...args: readonly string[]): void => void execFileSync("openssl", args, { stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...newKey, "-keyout", caKey, "-out", ca, "-subj", "/CN=test", "-days", "2");
  const name = ["-subj", "/CN=localhost", "-addext", `subjectAltName=DNS:localhost,IP:${address}`];
  openssl("req", ...newKey, "-keyout", key, "-out", request, ...name);
  const signed = ["-CA", ca, "-CAkey", caKey, "-CAcreateserial", "-copy_extensions", "copy", "-days", "2"];
  openssl("x509", "-req", "-in", request, "-out", cert, ...signed);
  return { ca, cert, key };
}

test("over TLS the store is used with a certificate of the authority, and refused without one", async (t) => {
  const tls = makeCertificates(temporaryFolder(t), "127.0.0.1");
  const more = `tls { cert_file: "${tls.cert}", key_file: "${tls.key}", ca_file: "${tls.ca}", verify: true }`;
  const { url: address } = await startNats(t, { more });
  const url = address.replace("127.0.0.1", "localhost");
  const fleet = await connectFleet({ servers: [url], tls }, "test");
  t.after(() => fleet.close());
  const store = await openStoreInNats(fleet, { folder: temporaryFolder(t) });
  await store.journal.receive(call("a")).settle(answer("a", "5"));
  assert.deepEqual((await store.journal.list())[0]?.answer, answer("a", "5"));
  await store.close();
  await assert.rejects(connectFleet({ servers: [url], tls: { ca: tls.ca } }, "test"), /localhost/);
  await (await connectFleet({ servers: [address], tls }, "test")).close();
  await assert.rejects(connectFleet({ servers: [url] }, "test"), /localhost/);
});

test("the certificate of another address is refused", async (t) => {
  const tls = makeCertificates(temporaryFolder(t), "127.0.0.2");
  const more = `tls { cert_file: "${tls.cert}", key_file: "${tls.key}" }`;
  const { url } = await startNats(t, { more });
  await assert.rejects(connectFleet({ servers: [url], tls: { ca: tls.ca } }, "test"), /127\.0\.0\.1/);
  await (
    await connectFleet({ servers: [url.replace("127.0.0.1", "localhost")], tls: { ca: tls.ca } }, "test")
  ).close();
});
