import type { Format, FormatName, Formats, Network } from "./network";

/** Returns the formats that can be published with these (parsed) settings. */
export function formatsOf<S>(network: Network<S>, settings: S): Formats<S> {
  const { variants } = network;
  if (!variants || typeof settings !== "object" || settings === null) return network.formats;
  const value = Object.entries(settings).find(([name]) => name === variants.setting)?.[1];
  return (typeof value === "string" ? variants.formats[value] : undefined) ?? network.formats;
}

/** Returns one format for these (parsed) settings, or undefined if it cannot be published. */
export function formatOf<S>(network: Network<S>, settings: S, format: FormatName): Format<S> | undefined {
  return formatsOf(network, settings)[format];
}
