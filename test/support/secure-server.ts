import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import { connect, type AddressInfo, type Server } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { TestContext } from "node:test";

/** A self-signed certificate of `secure.test`, made for these tests only. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUd+2CRh6Nrzy8c5Nn6qxXCqBPWpgwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLc2VjdXJlLnRlc3QwIBcNMjYxMTE2MjM0NDEzWhgPMjEyNjEw
MjMyMzQ0MTNaMBYxFDASBgNVBAMMC3NlY3VyZS50ZXN0MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEK1d2pFgB0F5fjvpWRg4kcCiUhLFBHJFW4/6TR3vlTe3JFgkU
h3QQN3rIlERo23eJQS4D4EGlAO4/QQ13/Ahst6NrMGkwHQYDVR0OBBYEFD+GhIel
+EBtkZb3nHKTyjynXlJnMB8GA1UdIwQYMBaAFD+GhIel+EBtkZb3nHKTyjynXlJn
MA8GA1UdEwEB/wQFMAMBAf8wFgYDVR0RBA8wDYILc2VjdXJlLnRlc3QwCgYIKoZI
zj0EAwIDSQAwRgIhAOD96fhrVIUBiupBjbRuZJikaTh8Z9Drgq8Be1IP7Kk+AiEA
lAeLAmsSx/TAQ0Kjm6XBoqHR4Nb0k8xNxH1oj8LjTkU=
-----END CERTIFICATE-----
`;
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVuZc0Nd9v3fA/kGR
2csGIjYvmoWqSf5365nUnX8EGp6hRANCAAQrV3akWAHQXl+O+lZGDiRwKJSEsUEc
kVbj/pNHe+VN7ckWCRSHdBA3esiURGjbd4lBLgPgQaUA7j9BDXf8CGy3
-----END PRIVATE KEY-----
`;

/** Starts an https server as `secure.test` on loopback. It ends with the test. */
export async function startSecureServer(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer({ cert: CERTIFICATE, key: KEY }, listener);
  t.after(() => server.closeAllConnections());
  return listen(t, server);
}

/** Trusts the certificate of `secure.test` in this process until the test ends. */
export function trustSecureServer(t: TestContext): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, CERTIFICATE]);
  t.after(() => setDefaultCACertificates(before));
}

/** Starts a proxy whose tunnels all lead to a port of this machine. `tunnels` has the targets that were asked for. */
export async function startTunnelProxy(
  t: TestContext,
  port: number,
): Promise<{ readonly origin: string; readonly tunnels: readonly string[] }> {
  const tunnels: string[] = [];
  const server = createHttpServer((_, response) => response.writeHead(400).end());
  server.on("connect", ({ url = "" }, socket) => {
    tunnels.push(url);
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    target.on("error", () => socket.destroy());
    socket.on("error", () => target.destroy());
    t.after(() => target.destroy());
  });
  return { origin: `http://127.0.0.1:${await listen(t, server)}`, tunnels };
}

async function listen(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}
