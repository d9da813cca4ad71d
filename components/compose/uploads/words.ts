/** The texts of the field that takes pictures and videos, in the composer and in the library, and of uploads. */
export const uploadWords = {
  title: "Pictures and videos",
  addFiles: "Add files",
  /** Continues the label of the button "Add files" beside it. */
  orDrop: "or drop or paste them, up to 100 MB each",
  /** In place of that while files are dragged over the field. */
  dropToAdd: "Drop to add",
  readingFolder: "Reading the folder…",

  // One file, by its name. Files are in a row: forward is towards the first.
  uploading: (name: string) => `Uploading ${name}`,
  checking: "Checking…",
  moveForward: (name: string) => `Move ${name} forward`,
  moveBack: (name: string) => `Move ${name} back`,
  moved: (name: string, place: number, count: number) => `${name} is number ${place} of ${count} now.`,
  tryAgain: (name: string) => `Try ${name} again`,
  cancel: (name: string) => `Cancel ${name}`,
  remove: (name: string) => `Remove ${name}`,

  /** The chip on a picture, and the window that it opens. The chip's name goes on behind the words in sight. */
  altText: {
    has: "Alt text",
    of: (name: string) => ` of ${name}`,
    add: "Add alt text",
    to: (name: string) => ` to ${name}`,
    notSaved: "Not saved",
    title: (name: string) => `Describe ${name}`,
    goesAlong: "Sent with this file to every network that accepts alt text.",
    done: "Done",
  },

  /** Choosing files that are stored already. */
  library: {
    from: "From the library",
    all: "All files",
    use: (name: string) => `Use ${name}`,
    title: "Add from the library",
    search: "Search names and alt text",
    couldNotLoad: (why: string) => `The library could not be loaded: ${why}`,
    noneFound: "No files match",
    showMore: "Show more",
    add: (count: number) => (count === 1 ? "Add 1 file" : `Add ${count} files`),
  },

  drop: {
    addFiles: "Add pictures or videos",
    notMedia: (file: string) => `${file}: is neither a picture, a video nor a PDF`,
    tooLarge: (file: string, mostMb: number) => `${file}: is too large: the maximum is ${mostMb} MB`,

    folderUnread: (folder: string, why: string) => `${folder}: could not be read whole: ${why}`,
    folderHoldsNone: (folder: string) => `${folder}: holds no pictures or videos`,
    folderHoldsOthers: (folder: string, others: number) =>
      others === 1
        ? `${folder}: 1 file is neither a picture, a video nor a PDF`
        : `${folder}: ${others} files are neither a picture, a video nor a PDF`,
    /** @param taken how many pictures and videos of it were looked at */
    folderTooFull: (folder: string, taken: number) =>
      `${folder}: has more files than can be added at once. Pictures and videos read from it: ${taken}`,
  },

  sending: {
    storeRefused: (status: number) => `The store refused it (status ${status}).`,
    uploadBroke: "The upload broke off. Check your connection.",
    elsewhere: "It was scheduled or sent from another page meanwhile.",
    /** In place of the name of a cover whose file was deleted. */
    cover: "cover",
  },
} as const;
