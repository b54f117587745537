import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import { connect, type AddressInfo, type Server } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { TestContext } from "node:test";

/** A self-signed certificate of `secure.test`, `localhost` and `127.0.0.1`, made for these tests only. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBrTCCAVKgAwIBAgIUMBQVcA454FQCZJlx+5uZbcjPR9wwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLc2VjdXJlLnRlc3QwIBcNMjYxMTE3MDgyOTEwWhgPMjEyNjEw
MjQwODI5MTBaMBYxFDASBgNVBAMMC3NlY3VyZS50ZXN0MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEtFR4oMUgLAdVMiquchWfT4x92NIkO7BvdNpov8O4z8ORYbi4
Ud7LAu8EDjv/nKris0p/pQXxLGg+++jbFyPCnaN8MHowHQYDVR0OBBYEFLhtonba
5/Yowkgmv18mhf5EZuFTMB8GA1UdIwQYMBaAFLhtonba5/Yowkgmv18mhf5EZuFT
MCcGA1UdEQQgMB6CC3NlY3VyZS50ZXN0gglsb2NhbGhvc3SHBH8AAAEwDwYDVR0T
AQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA10OPe3ROYwiSkMVKpnuNlS3S
thPIbRZjJvO4DRlYWgACIQDoRa7HrSnfxrRxIBssQol38Krjy/sTsDLUZZWpQP3Q
tg==
-----END CERTIFICATE-----
`;
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9GF3rIvPGWN0uJLZ
PMU2dJVx3bf34LJ+qiVw+aOqGr6hRANCAAS0VHigxSAsB1UyKq5yFZ9PjH3Y0iQ7
sG902mi/w7jPw5FhuLhR3ssC7wQOO/+cquKzSn+lBfEsaD776NsXI8Kd
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
