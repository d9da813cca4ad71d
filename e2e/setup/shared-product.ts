import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownPort } from "../../lib/testing/own-port";
import { type Product, startProduct } from "./product";

/** The environment variable that describes the product of the browser journeys to the test processes (JSON). */
export const SHARED_PRODUCT = "SHARED_PRODUCT";

export type SharedProduct = {
  settings: Product["settings"];
  /** Everything that the web process prints. */
  outputFile: string;
  /** The one port on this machine to which the product sends webhooks. One file may listen on it. */
  receiverPort: number;
  /** The same for the feeds that it reads. */
  feedPort: number;
  /** The same for a partner's own program, which receives webhooks and serves files. */
  partnerPort: number;
};

/**
 * Starts the product of the browser journeys. Starting a product and warming up its pages takes longer than most journeys, so
 * all of them share one.
 */
export default async function start(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "carillon-output-"));
  const outputFile = join(folder, "output.log");
  const [receiverPort, feedPort, partnerPort] = [await ownPort(), await ownPort(), await ownPort()];
  const allowed = [receiverPort, feedPort, partnerPort].map((port) => `127.0.0.1+127.0.0.1+${port}`).join(",");
  const product = await startProduct({ outputFile, env: { EGRESS_ALLOW: allowed } });
  const shared: SharedProduct = { settings: product.settings, outputFile, receiverPort, feedPort, partnerPort };
  process.env[SHARED_PRODUCT] = JSON.stringify(shared);
  return async () => {
    await product.stop();
    await rm(folder, { recursive: true });
  };
}
