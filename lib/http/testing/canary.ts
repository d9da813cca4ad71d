import { createHook } from "node:async_hooks";
import { type AddressInfo, createServer } from "node:net";

/** Listens on every address of this machine and counts connections. Tests check that there are none. */
export async function listenForIntruders() {
  const state = { port: 0, hits: 0 };
  const server = createServer((socket) => {
    state.hits += 1;
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
  });
  const listen = (host: string) =>
    new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, host, resolve));
  await listen("::").catch(() => listen("0.0.0.0"));
  state.port = (server.address() as AddressInfo).port;
  return Object.assign(state, { close: () => new Promise((resolve) => server.close(resolve)) });
}

/** Counts the TCP connections that this process begins to any address, whichever client begins them. */
export function countConnections() {
  const state = { begun: 0 };
  const hook = createHook({
    init(_id, type) {
      if (type === "TCPCONNECTWRAP") state.begun += 1;
    },
  }).enable();
  return Object.assign(state, { stop: () => void hook.disable() });
}
