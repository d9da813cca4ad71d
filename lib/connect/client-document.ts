import { env } from "../env";
import { appOf, networkOf } from "../networks";
import { platforms, platformValues } from "../platforms";
import { callbackUri } from "./addresses";

/** The public document by which a network knows us; undefined for a network that asks for none, or is not set up here. */
export function clientDocumentOf(networkName: string): object | undefined {
  const platform = platformValues.find((value) => platforms[value] === networkName);
  if (!platform || env.networks[platforms[platform]].mode !== "real") return undefined;
  const network = networkOf(platform);
  if (network?.connect.kind !== "oauth") return undefined;
  return network.connect.clientDocument?.(appOf(network), callbackUri(network));
}
