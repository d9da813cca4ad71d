import type { Import } from "./queries";

/** The texts of the library of files. */
export const libraryWords = {
  add: "Add files",
  files: "Files",
  loading: "Loading your files",
  couldNotLoad: (why: string) => `Could not load your files: ${why}`,
  nothingYet: "Nothing here yet. Add a picture or a video above; it will be ready for every post.",
  noneFound: "No files match",
  /** The same, while older files are not loaded. */
  noneFoundYet: "No files match among those loaded so far",
  showOlder: "Show older files",
  /** On the button above, while it is working. */
  loadingOlder: "Loading…",

  findByName: "Find by name",
  openDocument: "Open the document",
  /** Which kinds of files are shown. */
  show: "Show",
  kinds: { all: "Everything", image: "Pictures", video: "Videos", document: "Documents" },

  fromAddress: "Add from a web address",
  giveAddress: "Give the address.",
  fetchIt: "Fetch",
  /** Read aloud: the list of imports. */
  imports: "Imports",
  /** Read aloud: the progress of one of them. */
  fetchingFrom: (url: string) => `Fetching ${url}`,
  /** The state of an import; during the download, with the size if it is known. */
  importStates: {
    QUEUED: "Waiting",
    VALIDATING: "Checking",
    UPLOADING: "Storing",
    READY: "Ready",
    FAILED_TEMPORARY: "Failed, trying again",
    FAILED_PERMANENT: "Failed",
  } satisfies { [state in Exclude<Import["state"], "DOWNLOADING">]: string },
  fetching: (done: string) => `Fetching, ${done}`,
  fetchingOf: (done: string, all: string) => `Fetching, ${done} of ${all}`,
  /** The state and the problem. */
  stateBecause: (state: string, why: string) => `${state}: ${why}`,

  /** On a video whose length is unknown. */
  video: "Video",
  /** Read aloud before the length of a video. */
  videoOf: "Video, ",
  use: "Use in a post",
  remove: "Delete",
  removing: "Deleting…",
  removeQuestion: "Delete this file?",
  removeForGood: "This can’t be undone. Published posts stay on the networks.",
  /** A list of posts follows. */
  stillNeeded: "It cannot be deleted while these posts still need it:",
  close: "Close",

  /** Above the posts that use the file. */
  usedIn: "Used in",
  notUsed: "No post yet.",
  usedInOlder: "And in older posts.",
  /** A post without a text. */
  post: (id: number) => `Post ${id}`,

  facts: {
    type: "Type",
    size: "Size",
    pixels: "Pixels",
    /** How long it plays. */
    length: "Length",
    pages: "Pages",
    frameRate: "Frames a second",
    /** How its pictures are encoded. */
    video: "Video",
    /** How its sound is encoded. */
    sound: "Sound",
    /** When it was added. */
    added: "Added",

    /** Behind the number of a size, each 1,024 of the one before. */
    units: ["B", "KB", "MB", "GB"],
  },

  page: {
    media: "Media",
    mediaLead: "Pictures and videos that are stored and ready for any post.",
  },
} as const;
