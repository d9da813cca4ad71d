import { createHash } from "node:crypto";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the checkout. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs `work` while no other process of this checkout runs work with the same name. The lock is a listening socket, which the
 * operating system closes when the process dies, so it is never stale. A child process that gets `inherited` in its stdio
 * holds the lock too: it may outlive its parent, and others must wait for it.
 * @template T
 * @param {string} name
 * @param {(inherited: number | "ignore") => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const address = lockAddress(name);
  let server = await listen(address);
  for (let waited = false; !server; server = await listen(address), waited = true) {
    if (!waited) console.error("Waiting for another process of this checkout …");
    await waitForRelease(address);
  }
  try {
    return await work(server.inherited);
  } finally {
    server.release();
  }
}

function lockAddress(name) {
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
      const fd = server._handle?.fd ?? -1; // not a public API, but the only way to pass the descriptor to a child
      resolve({ release, inherited: fd > 2 ? fd : "ignore" });
    });
  });
}

async function waitForRelease(address) {
  const { unlink } = await import("node:fs/promises");
  await new Promise((resolve) => {
    const socket = connect(address);
    socket.on("error", async (error) => {
      // On systems without abstract sockets, the socket file outlives its process.
      if (error.code === "ECONNREFUSED" && !address.startsWith("\0")) await unlink(address).catch(() => {});
    });
    socket.on("close", () => setTimeout(resolve, 20));
  });
}
