import { createServer, connect as dial, type Socket } from "node:net";
import { ownPort } from "../../lib/testing/own-port";

/** A TCP relay to a database or another server, at one address that stays the same. */
export type Relay = {
  url: string;
  /** Closes every connection, and every new one at once, until it is called with false. */
  refuse(isOn: boolean): void;
  /** Leads to another server from now on, and closes the connections to the earlier one. */
  leadTo(url: string): void;
  /** Counts from 0 again. */
  reset(): void;
  /** The connections since the last change. */
  attempts(): number;
  close(): Promise<void>;
};

/** Opens a relay to the server of a URL on this machine. @param given its port. A free one by default */
export async function openRelay(to: string, given?: number): Promise<Relay> {
  const url = new URL(to);
  const port = given ?? (await ownPort());
  const open = new Set<Socket>();
  let target = Number(url.port);
  let isRefusing = false;
  let attempts = 0;
  const server = createServer((near) => {
    attempts++;
    near.on("error", () => {});
    if (isRefusing) return near.resetAndDestroy();
    const far = dial(target, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one
        .on("error", () => other.destroy())
        .on("close", () => {
          open.delete(one);
          other.destroy();
        })
        .pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  url.port = String(port);
  const cutAll = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    refuse(isOn) {
      isRefusing = isOn;
      attempts = 0;
      if (isOn) cutAll();
    },
    leadTo(next) {
      target = Number(new URL(next).port);
      cutAll();
    },
    reset: () => {
      attempts = 0;
    },
    attempts: () => attempts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
