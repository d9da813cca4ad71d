import type { Limits, TextLimit } from "@/lib/networks/limits";
import type { FormatName } from "@/lib/networks/network";
import type { Platform } from "@/lib/platforms";
import type { FormWords, helperWords } from "./setting-words";

/** The texts of the windows that help to fill in a setting. */
export type HelperWords = typeof helperWords;

export type NetworkFormatLimits = { [F in FormatName]?: Limits };

/** The value of a setting on the wire, if the composer has a field for it. */
export type SettingValue = string | boolean | number | (string | TaggedPerson)[];

/** A person who is tagged in an attachment (counted from 0, the default), at a place from 0 to 1. */
export type TaggedPerson = { username: string; x?: number; y?: number; attachment?: number };

/** A field of `platformSettings`. A `list` has one entry per line, or any of its choices. A `question` has no preset answer. */
export type Setting = {
  name: string;
  /** Absent: the readable name. */
  label?: string;
  hint?: string;
  kind: "choice" | "switch" | "question" | "text" | "number" | "list";
  choices?: string[];
  /** Names of the choices whose readable name on the wire is not enough. */
  choiceNames?: { [choice: string]: string };
  /**
   * What the preview says about it if the network itself shows nothing of it: by its value, or `any`, in which `{value}` stands
   * for the value.
   */
  remarks?: { [value: string]: string };
  preset?: string | boolean;
  maxLength?: number;
  /** The network's limit of a text that it shows, which is counted. */
  limit?: TextLimit;
  /** How many units of the wire are one of the field: 1,000 if milliseconds are entered in seconds. */
  scale?: number;
  /**
   * What a button below the field offers: the account's values by title, a search for one, a file with the text, a frame of the
   * video, or places in the pictures. `tags` replaces the field.
   */
  helper?: "options" | "search" | "text file" | "frame" | "tags";
  /** A person must be asked. The API may accept a body without it. */
  required: boolean;
};

/** A network's facts for the browser. */
export type NetworkFacts = {
  platform: Platform;
  name: string;
  settingsType: string;
  /** The sandbox simulates it: no approval is needed and nothing reaches the real network. */
  isSimulated: boolean;
  /** The sandbox page with the network's posts; `permalink` has the real network's form and does not work here. */
  feedUrl?: string;
  /** Connected through a bot. */
  isBot: boolean;
  formats: NetworkFormatLimits;
  variants?: { setting: string; formats: { [value: string]: NetworkFormatLimits } };
  /** Accepts several posts, as a thread or a sequence. */
  posts?: { max: number; isThread: boolean };
  /** `own`: without one, a post goes to the account itself. `part`: the setting that names a section of a destination. */
  destinations?: { required: boolean; own?: true; part?: string };
  /** Whether the network offers different choices to each account. */
  hasOptions: boolean;
  settings: Setting[];
  /** Names of the fields that every network has. */
  commonNames: { [field: string]: string };
  helperWords: HelperWords;
  /** The texts of the form that the network requires instead of its settings. */
  form?: FormWords;
};
