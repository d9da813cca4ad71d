import type { Platform } from "@/lib/platforms";

// The server sends these texts with the facts about the networks, so that they are not part of the composer's script.

/** Names of the fields that every network has. */
export const commonNames: { [field: string]: string } = {
  content: "The text",
  attachmentPaths: "A file",
  chatId: "The place",
  thumbnailPath: "The cover",
};

/** Labels of settings whose readable name on the wire is not enough. */
const labels: { [P in Platform]?: { [setting: string]: string } } = {
  BLUE_SKY: { labels: "Content warnings" },
  FACEBOOK: { publicationType: "Publish as", placeId: "Location", link: "Link of the card", callToAction: "Button" },
  INSTAGRAM: {
    publicationType: "Publish as",
    aiContent: "Made with AI",
    userTags: "Tagged people",
    locationId: "Location",
    videoCoverTimestampMs: "Cover frame",
  },
  LINKEDIN: { visibility: "Who can see it" },
  PINTEREST: {
    link: "Link that the Pin opens",
    altText: "Alt text",
    boardSectionId: "Section of the board",
    dominantColor: "Colour while it loads",
  },
  TELEGRAM: {
    disableNotification: "Send without a sound",
    protectContent: "Forbid forwarding and saving",
    disableLinkPreview: "No link preview",
    parseMode: "Formatting",
  },
  THREADS: { topicTag: "Topic", linkAttachment: "Link card", locationId: "Location" },
  TIKTOK: { privacyLevel: "Who can see it", videoCoverTimestampMs: "Cover frame", photoCoverIndex: "Cover photo" },
  YOUTUBE: {
    privacyStatus: "Who can see it",
    containsSyntheticMedia: "Altered or synthetic content that looks real",
    playlistId: "Playlist",
    captionsLanguage: "Language of the captions",
  },
};

const commonLabels: { [setting: string]: string } = {
  whoCanReply: "Who can reply",
  quote: "Post to quote",
  pollOptions: "Poll",
  pollMinutes: "Minutes until the poll ends",
};

const SECONDS = "In seconds from the start of the video, such as 2.5.";

/** Hints below settings whose label is not enough. */
const hints: { [P in Platform]?: { [setting: string]: string } } = {
  BLUE_SKY: { languages: "One code per line, such as en.", quote: "Its address." },
  FACEBOOK: {
    placeId: "The ID of a Facebook Page with a location.",
    link: "The first link in the text, if this is empty.",
    callToAction: "Leads to the link.",
  },
  INSTAGRAM: {
    collaborators: "Up to 3 user names, one per line.",
    userTags: "They can be tagged once the post has a picture or a video.",
    locationId: "The ID of a Facebook Page with a location.",
    videoCoverTimestampMs: SECONDS,
  },
  PINTEREST: {
    altText: "What the picture shows, for people who cannot see it.",
    dominantColor: "Such as #6E7874.",
  },
  TELEGRAM: { parseMode: "HTML tags such as <b> and <a href=…>." },
  THREADS: {
    topicTag: "One topic, with or without #.",
    quote: "Its ID.",
    pollOptions: "One option per line.",
    locationId: "Its ID.",
  },
  TIKTOK: { videoCoverTimestampMs: SECONDS, photoCoverIndex: "0 is the first photo." },
  YOUTUBE: {
    tags: "One per line.",
    playlistId: "The part after list= in its address.",
    captions: "The text of an SRT or WebVTT file.",
    captionsLanguage: "For example en or pt-BR.",
  },
  X_TWITTER: { quote: "Its address.", pollOptions: "One option per line." },
};

/** YouTube's own names of its categories (youtube/v3/videoCategories), where the name on the wire is not enough. */
const youTubeCategories: { [choice: string]: string } = {
  FILM_ANIMATION: "Film & Animation",
  AUTOS_VEHICLES: "Autos & Vehicles",
  PETS_ANIMALS: "Pets & Animals",
  TRAVEL_EVENTS: "Travel & Events",
  PEOPLE_BLOGS: "People & Blogs",
  NEWS_POLITICS: "News & Politics",
  HOWTO_STYLE: "How-to & Style",
  SCIENCE_TECHNOLOGY: "Science & Technology",
};

/** Facebook's own texts of its buttons. */
const facebookButtons: { [choice: string]: string } = {
  BOOK_TRAVEL: "Book Now",
  DOWNLOAD: "Download",
  LEARN_MORE: "Learn More",
  LISTEN_MUSIC: "Listen Music",
  SIGN_UP: "Sign Up",
  USE_APP: "Use App",
  WATCH_MORE: "Watch More",
  WATCH_VIDEO: "Watch Video",
};

const choiceNames: { [P in Platform]?: { [setting: string]: { [choice: string]: string } } } = {
  FACEBOOK: { callToAction: facebookButtons },
  YOUTUBE: { category: youTubeCategories },
};

const coverFrame = { any: "Cover: the frame at {value} ms" };

/** What the preview says about settings that a network itself does not show, by value. */
const remarks: { [P in Platform]?: { [setting: string]: { [value: string]: string } } } = {
  BLUE_SKY: { languages: { any: "Languages: {value}" } },
  INSTAGRAM: { videoCoverTimestampMs: coverFrame },
  TELEGRAM: {
    disableNotification: { true: "Without a sound" },
    protectContent: { true: "Cannot be forwarded or saved" },
    disableLinkPreview: { true: "No link preview" },
  },
  TIKTOK: { videoCoverTimestampMs: coverFrame, photoCoverIndex: { any: "Cover: photo {value}, counted from 0" } },
  X_TWITTER: { pollMinutes: { any: "The poll runs for {value} minutes" } },
  YOUTUBE: {
    tags: { any: "Tags: {value}" },
    playlistId: { any: "In a playlist" },
    madeForKids: { true: "Made for kids", false: "Not made for kids" },
    notifySubscribers: { false: "Subscribers are not notified" },
    captions: { any: "With captions" },
    captionsLanguage: { any: "Captions: {value}" },
  },
};

/** The texts of the form that TikTok requires. */
const tikTokForm = {
  /** The settings that have fields as on other networks. */
  fields: ["title", "videoCoverTimestampMs", "photoCoverIndex"] as string[],

  /** `{name}` is the creator's. */
  postsAs: "Posts as {name}. TikTok works on a post for some minutes before it shows it.",
  madeWithAi: "Made with AI",
  addMusic: "Let TikTok add music to photos",
  sendToDrafts: "Only send it to the drafts in the TikTok app, to publish it there",

  agreeToMusic: "By posting, you agree to TikTok’s {music}.",
  agreeToBoth: "By posting, you agree to TikTok’s {branded} and {music}.",
  brandedPolicy: "Branded Content Policy",
  musicConfirmation: "Music Usage Confirmation",
  links: {
    branded: "https://www.tiktok.com/legal/page/global/bc-policy/en",
    music: "https://www.tiktok.com/legal/page/global/music-usage-confirmation/en",
  },

  whoCanSee: "Who can see it",
  choose: "Choose…",
  brandedNotAlone: "Branded content cannot be seen by yourself alone.",

  /** Above the three that follow: what others may do with the video. */
  letOthers: "Let others",
  comment: "Comment",
  duet: "Duet",
  stitch: "Stitch",
  /** Behind one that the creator's account does not allow. */
  switchedOff: "(switched off)",

  promotes: "It promotes something",
  yourBrand: "Your brand: yourself or your own business",
  brandedContent: "Branded content: somebody else’s business",
  labelledPaid: "It will be labelled as “Paid partnership”.",
  labelledPromotional: "It will be labelled as “Promotional content”.",
} as const;

export type FormWords = typeof tikTokForm;

/** The texts of the windows that list or search the values of a setting. The reason follows `notRead`. */
export const helperWords = {
  none: "None",
  loading: "Loading from the network…",
  notRead: "The list cannot be read:",
  placeName: "Name of the place",
  search: "Search",
  noneFound: "No place matches. Try another spelling, or add the town.",

  /** People in pictures and videos. A place is where a person is in a picture, in percent. */
  tags: {
    howTo: "Press on a person in a picture, enter the user name and press Add. People are tagged in a whole video.",
    name: "User name of a person in {file}",
    pattern: "Letters, digits, dots and underscores",
    add: "Add",
    place: "{x} % from the left, {y} % from the top",
    keys: "The arrow keys move the tag, with Shift further. Delete removes it.",
    remove: "Remove {name}",
    done: "Done",
  },
} as const;

/** The texts of the forms that networks require. */
export const forms: { [P in Platform]?: FormWords } = { TIKTOK: tikTokForm };

/** Returns the label, the hint, the names of the choices and the remarks of a network's setting, if it has any. */
export function settingWords(
  platform: Platform,
  setting: string,
): {
  label?: string;
  hint?: string;
  choiceNames?: { [choice: string]: string };
  remarks?: { [value: string]: string };
} {
  return {
    label: labels[platform]?.[setting] ?? commonLabels[setting],
    hint: hints[platform]?.[setting],
    choiceNames: choiceNames[platform]?.[setting],
    remarks: remarks[platform]?.[setting],
  };
}
