// Run as a separate process: opens the cluster of a folder, prints its URL, and releases it when standard input ends.
import { type ClusterRole, openCluster } from "../cluster";

const [dataDir = "", purpose = "command"] = process.argv.slice(2);
const say = (message: object) => console.log(JSON.stringify(message));

try {
  const cluster = await openCluster({
    dataDir,
    purpose: purpose as ClusterRole,
    onLost: (reason) => say({ lost: reason.message }),
  });
  say({ url: cluster.url });
  for await (const _ of process.stdin);
  await cluster.release();
} catch (error) {
  const { name, message } = error as Error;
  say({ name, message });
}
