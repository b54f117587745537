import { Socket, type Server } from "node:net";

/** How long a client may take to send the head of its first request, and how long that may be. */
const HEAD_MS = 30_000;
const MAX_HEAD_BYTES = 64 * 1024;
const END_OF_HEAD = "\r\n\r\n";
/** The first byte of TLS, whose client then waits for an answer. */
const TLS_HANDSHAKE = 0x16;
const LOGIN = /^proxy-authorization:[\t ]*(.*?)[\t ]*$/im;
const REFUSAL =
  "HTTP/1.1 407 Proxy Authentication Required\r\n" +
  'proxy-authenticate: Basic realm="Toolwright"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

/** The user name in the URL of the proxy. */
export const USER = "session";

/**
 * Makes a proxy, which knows no passwords itself, close every connection whose first request has not the right one, so that other users
 * of the machine cannot use it. Later requests of a connection come from the same program.
 */
export function demandLogin(server: Server, password: string): void {
  const expected = `Basic ${Buffer.from(`${USER}:${password}`).toString("base64")}`;
  const known = new WeakSet<Socket>();
  const emit = server.emit.bind(server) as (event: string, ...values: unknown[]) => boolean;
  server.emit = (event: string, ...values: unknown[]) => {
    const [socket] = values;
    // The server emits the event itself for each tunnel inside a connection.
    if (event !== "connection" || !isAccepted(socket) || known.has(socket)) return emit(event, ...values);
    readHead(socket, (head) => {
      if (LOGIN.exec(head)?.[1] === expected) {
        known.add(socket);
        emit("connection", socket);
      } else {
        socket.on("error", () => socket.destroy());
        socket.end(REFUSAL).resume();
      }
    });
    return true;
  };
}

function isAccepted(socket: unknown): socket is Socket {
  return socket instanceof Socket && socket.constructor === Socket;
}

/** Reads up to the end of the first head, and leaves everything in the socket for its next reader. */
function readHead(socket: Socket, onHead: (head: string) => void): void {
  let read = Buffer.alloc(0);
  const fail = (): void => void socket.destroy();
  const look = (): void => {
    for (let chunk: unknown = socket.read(); chunk instanceof Buffer; chunk = socket.read())
      read = Buffer.concat([read, chunk]);
    if (read[0] === TLS_HANDSHAKE) fail();
    const end = read.indexOf(END_OF_HEAD);
    if (socket.destroyed || (end === -1 && read.length <= MAX_HEAD_BYTES)) return;
    socket.off("readable", look).off("error", fail).off("end", fail).off("timeout", fail).setTimeout(0);
    socket.unshift(read);
    onHead(read.toString("latin1", 0, Math.max(end, 0)));
  };
  socket.on("readable", look).on("error", fail).on("end", fail).on("timeout", fail).setTimeout(HEAD_MS);
}
