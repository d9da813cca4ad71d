import { mp4 } from "../../sandbox/testing/mp4";
import { type FormatName, type Network, networkFormats } from "../networks";
import { jpeg } from "./media";

/** Values for settings without a default. A network that requires another setting needs an entry here. */
const SETTINGS: { [name: string]: unknown } = { title: "A title", privacyLevel: "PUBLIC_TO_EVERYONE" };
const ORDER: FormatName[] = ["text", "image", "video", "carousel"];

/** The simplest post that a network accepts, derived from its definition. */
export type SimplePost = {
  platformSettings: { [name: string]: unknown };
  /** The files that it requires. */
  files(): Promise<{ bytes: Uint8Array; filename: string }[]>;
};

export function recipeOf(network: Network): SimplePost {
  const settings = requiredSettingsOf(network);
  const formats = networkFormats(network, network.settings.parse(settings));
  const format = ORDER.find((name) => formats[name]);
  const image = async () => ({ bytes: await jpeg(1080, 1080), filename: "picture.jpg" });
  return {
    platformSettings: { type: network.settingsTypes[0], ...settings },
    async files() {
      if (format === "video") return [{ bytes: mp4(), filename: "video.mp4" }];
      const count = format === "image" ? 1 : format === "carousel" ? 2 : 0;
      return Promise.all(Array.from({ length: count }, image));
    },
  };
}

/** Returns only the required settings; all others keep their defaults. */
export function requiredSettingsOf(network: Network): { [name: string]: unknown } {
  const { error } = network.settings.safeParse({});
  const missing = error?.issues.map(({ path }) => String(path[0])) ?? [];
  return Object.fromEntries(
    missing.map((name) => {
      if (SETTINGS[name] === undefined) throw new Error(`${network.name} needs a value for ${name} in the recipe`);
      return [name, SETTINGS[name]];
    }),
  );
}
