import { createHash } from "node:crypto";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the checkout. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs `work` while no other process of this checkout runs work of the same name. The lock is a listening socket: the
 * operating system closes it when its process dies, however it dies, so it is never left behind. A child that is given
 * `inherited` in its stdio holds the lock too: it goes on when its parent is killed, and must be waited for.
 * @template T
 * @param {string} name
 * @param {(inherited: number | "ignore") => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const address = addressOf(name);
  let server = await listen(address);
  for (let waited = false; !server; server = await listen(address), waited = true) {
    if (!waited) console.error("Waiting for another start of this checkout …");
    await untilGone(address);
  }
  try {
    return await work(server.inherited);
  } finally {
    server.release();
  }
}

function addressOf(name) {
  const id = `carillon-${name}-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
  if (process.platform === "linux") return `\0${id}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${id}` : join(tmpdir(), id);
}

async function listen(address) {
  const waiting = new Set();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => waiting.delete(socket));
  });
  const release = () => {
    server.close();
    for (const socket of waiting) socket.destroy();
  };
  return new Promise((resolve, reject) => {
    server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(undefined) : reject(error)));
    server.listen(address, () => {
      const fd = server._handle?.fd ?? -1; // not public, but the only way to a descriptor that a child can be given
      resolve({ release, inherited: fd > 2 ? fd : "ignore" });
    });
  });
}

async function untilGone(address) {
  const { unlink } = await import("node:fs/promises");
  await new Promise((resolve) => {
    const socket = connect(address);
    socket.on("error", async (error) => {
      // A socket file outlives its process where the system has no nameless ones.
      if (error.code === "ECONNREFUSED" && !address.startsWith("\0")) await unlink(address).catch(() => {});
    });
    socket.on("close", () => setTimeout(resolve, 20));
  });
}
