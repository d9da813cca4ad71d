import type { Import } from "./queries";

/** The texts of the library of files. */
export const libraryWords = {
  add: "Add files",
  files: "Files",
  loading: "Loading your files",
  couldNotLoad: (why: string) => `Could not load your files: ${why}`,
  nothingYet: {
    title: "Your pictures and videos live here",
    text: "Drop files on this page, paste them, or add them from a web address.",
  },
  noneFound: "No files match",
  clearFilters: "Clear the filters",
  showMore: "Show 60 more",
  /** On the button above, while it is working. */
  loadingMore: "Loading…",

  search: "Search names and alt text",
  sort: "Sort",
  sorts: {
    "-createdTime": "Newest first",
    createdTime: "Oldest first",
    filename: "By name",
    "-sizeBytes": "Largest first",
  },
  openDocument: "Open the document",
  /** Read aloud: which files are shown. */
  show: "Show",
  shelves: {
    all: "All files",
    pictures: "Pictures",
    videos: "Videos",
    documents: "Documents",
    notUsed: "Not used yet",
    noAltText: "Alt text missing",
  },
  labels: {
    title: "Labels",
    add: "Add a label",
    addIt: "Add",
    remove: (label: string) => `Remove label ${label}`,
  },
  choose: (file: string) => `Select ${file}`,
  /** What can be done with the selected files. */
  chosen: {
    title: "Selected files",
    count: (count: number) => `${count} selected`,
    label: "Label",
    labelThem: (count: number) => (count === 1 ? "Label 1 file" : `Label ${count} files`),
    removeThem: (count: number) => (count === 1 ? "Delete 1 file?" : `Delete ${count} files?`),
    remove: (count: number) => (count === 1 ? "Delete 1 file" : `Delete ${count} files`),
    /** Above the posts. `kept`: how many files unfinished posts still need. */
    used: (kept: number) =>
      kept === 0
        ? "These posts used them:"
        : `These posts use some of them. ${kept === 1 ? "1 file stays" : `${kept} files stay`} because a post still needs it:`,
    clear: "Clear",
  },
  name: "Name",
  saved: "Saved.",
  notSaved: (why: string) => `Not saved. Your change was undone. ${why}`,

  fromAddress: "Add from a web address",
  address: "Address of the file",
  giveAddress: "Enter the address.",
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
  crop: "Crop",
  savingCrop: "Saving the cropped picture…",
  savedCrop: (file: string) => `Saved as ${file}. This picture is unchanged.`,
  download: "Download",
  remove: "Delete",
  removing: "Deleting…",
  removeQuestion: "Delete this file?",
  removeForGood: "This can’t be undone. Published posts stay on the networks.",
  /** A list of posts follows. */
  stillNeeded: "It cannot be deleted while these posts still need it:",
  /** The same, of posts that do not need it any more. */
  wasUsed: "These posts used it:",
  close: "Close",

  lookingForUses: "Looking for posts that use it…",
  usesUnknown: (why: string) => `Could not look for posts that use it: ${why}`,
  /** Above the posts that use the file. */
  usedIn: "Used in",
  notUsed: "Not used yet.",
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
    media: "Library",
    mediaLead: "Pictures, videos and documents for your posts. Drop files anywhere on this page.",
  },
} as const;
