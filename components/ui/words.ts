import type { AltTextState } from "../library/use-alt-text";

/** The texts that several nouns share. */
export const uiWords = {
  tryAgain: "Try again",
  /** Leaves things as they are, where something is to be removed. */
  keep: "Keep",
  copy: "Copy",
  copied: "Copied",

  undo: "Undo",

  brand: "Carillon",
  claim: "Write once, ring every network.",
  /** What a window or tab is called; `name` is the brand, or a partner's. */
  windowTitle: (title: string, name: string) => `${title} · ${name}`,

  notLoaded: "This page did not load",
  notLoadedWhy: "Something went wrong on our side. Nothing that you scheduled is affected.",

  /** A window whose script could not be loaded. */
  notOpened: "This could not be opened. Check your connection, then load the page again.",

  nothingHere: "There is nothing here",
  nothingHereWhy: "The address may be mistyped, or the post was deleted.",
  goHome: "Go home",

  /** The title of a page that a link shows to a person without an account. */
  sharedPreview: "Preview of a post",
  formUnread: "This form could not be read",
  formFromElsewhere: "This form came from another site",

  // Here and not in posts/words.ts, which would add its texts to the composer.
  noSuchPost: "There is no such post. It may have been deleted.",
  couldNotLoadPost: (why: string) => `Could not load this post: ${why}`,

  accountNames: {
    /** `@alice on X` */
    named: (handle: string, network: string) => `${handle} on ${network}`,
    gone: "an account that is gone",
  },

  altText: {
    label: "Alt text",
    /** Read aloud behind the label. */
    ofFile: (name: string) => ` of ${name}`,
    placeholder: "What it shows",
    states: {
      unchanged: "",
      saving: "Saving…",
      saved: "Saved.",
      failed: "Not saved. It is tried again when you leave the field.",
    } satisfies { [state in AltTextState]: string },
  },

  /** Counts of attachments. Here and not in posts/words.ts, which would add its texts to the composer. */
  files: {
    pictures: (count: number) => (count === 1 ? "1 picture" : `${count} pictures`),
    videos: (count: number) => (count === 1 ? "1 video" : `${count} videos`),
    documents: (count: number) => (count === 1 ? "1 PDF" : `${count} PDFs`),
    fromTheWeb: (count: number) => (count === 1 ? "1 file from the web" : `${count} files from the web`),
  },
} as const;
