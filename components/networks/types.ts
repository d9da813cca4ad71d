import type { Limits } from "@/lib/networks/limits";
import type { FormatName } from "@/lib/networks/network";
import type { Platform } from "@/lib/platforms";

export type FormatLimits = { [F in FormatName]?: Limits };

/** A field of `platformSettings`. */
export type Setting = {
  name: string;
  kind: "choice" | "switch" | "text";
  choices?: string[];
  preset?: string | boolean;
  maxLength?: number;
  required: boolean;
};

/** What the browser knows of a network. */
export type NetworkFacts = {
  platform: Platform;
  name: string;
  settingsType: string;
  /** The sandbox stands in for it: no approval needed, nothing reaches the real network. */
  isSimulated: boolean;
  /** Where the sandbox shows the network's posts; `permalink` is the real network's form and would lead nowhere. */
  feedUrl?: string;
  /** Connected by talking to a bot. */
  isBot: boolean;
  formats: FormatLimits;
  variants?: { setting: string; formats: { [value: string]: FormatLimits } };
  /** Takes several posts at once: as a thread, or one after the other. */
  posts?: { max: number; isThread: boolean };
  /** `part`: the setting that names a section of one. */
  destinations?: { required: boolean; part?: string };
  /** Each account of it has choices of its own, which the network is asked for. */
  hasOptions: boolean;
  settings: Setting[];
};
