import type { ApiPublicationStatus, ApiScheduleStatus, Attempt } from "../api/types";

/** The texts of posts: cards, the list, the page of a post, moving, states and receipts. */
export const postWords = {
  couldNotLoad: (why: string) => `Could not load your posts: ${why}`,
  loading: "Loading posts",
  write: "New post",

  // The page of a post.
  allPosts: "Posts",
  /** The title of the page until the post is loaded, or if it has no text. */
  post: (id: string) => `Post ${id}`,
  accounts: "Accounts",
  previews: "Preview",
  loadingPost: "Loading the post",
  /** What a post sends besides its text: "With 2 pictures, 1 video". */
  withFiles: (files: string) => `With ${files}`,

  // What can be done with it.
  tryAgain: "Try again",
  asking: "Asking…",
  /** For a post with an unknown outcome on a network that cannot be read. */
  sendAgain: {
    action: "Send again, I have looked",
    title: "Send this post again?",
    text: "The network cannot tell us whether the post is live. If it is, sending it again publishes it twice. Send it again only if you have looked there and did not find it.",
    confirm: "Send again",
  },
  notTriedAgain: (why: string) => `Not tried again: ${why}`,
  edit: "Edit",
  /** The same, of a draft. */
  goOn: "Continue writing",
  duplicate: "Duplicate",
  repeat: "Repeat…",
  remove: "Delete this post",
  removing: "Deleting…",
  removed: "Deleted. It will not go out.",
  notRemoved: (why: string) => `Not deleted: ${why}`,
  broughtBack: "Brought back.",
  notBroughtBack: (why: string) => `Not brought back: ${why}`,

  states: {
    DRAFT: "Draft",
    /** A draft of an application that a person has not approved. */
    PROPOSED: "Proposed",
    AWAITING_MEDIA: "Fetching files",
    SCHEDULED: "Scheduled",
    /** Its time is over, and nothing has begun. */
    LATE: "Late",
    /** It will fail when its time comes, unless an account is connected again. */
    ATTENTION: "Needs attention",
    MEDIA_IMPORT_FAILED: "Files failed",
    IN_PROGRESS: "Publishing",
    COMPLETED: "Published",
    PARTIALLY_COMPLETED: "Partly published",
    FAILED: "Failed",
    /** Of one account's part of a post. */
    PENDING: "Scheduled",
    PUBLISHED: "Published",
    UNKNOWN: "Outcome unknown",
  } satisfies { [state in ApiScheduleStatus | ApiPublicationStatus | "PROPOSED" | "LATE" | "ATTENTION"]: string },

  /** Read aloud when a post on the page has been published or has failed. */
  announced: (state: string, text: string) => `${state}: ${text}`,
  /** In place of the text, for a post without one. */
  aPost: "post",

  card: {
    /** In place of the text of a post without one. */
    noText: "No text",
    /** In place of the time of a draft without one. */
    noTime: "No time yet",
    /** Read aloud: what the lines of a card are. */
    accounts: "Accounts",

    /** In place of the name of an account. */
    disconnected: "a disconnected account",
    /** A link to the post on its network. */
    seePost: (network: string) => `See it on ${network}`,
    /** The same, where there are several of one account. */
    post: (number: number) => `Post ${number}`,
    /** Read aloud behind each of the two. */
    ofAccount: (account: string) => ` (${account}, opens in a new tab)`,
    /** The outcome of the first comment, before the reason if it was not published. */
    firstComment: {
      PENDING: "The first comment follows.",
      PUBLISHED: "The first comment is out.",
      FAILED: "The first comment failed.",
      UNKNOWN: "The first comment may be out.",
    },
    unknown: (network: string) =>
      `${network} didn’t confirm this post. Check on ${network} before you post it again: Carillon does not repeat it by itself.`,
  },

  move: {
    moveTo: "Move to…",
    /** Read aloud, for a button that shows a sign alone. */
    moveText: (text: string) => `Move “${text}” to another time`,
    /** In place of the text, for a post without one. */
    thisPost: "this post",

    isOver: (time: string) => `That time has passed. The post stays on ${time}.`,
    notMoved: (why: string) => `Not moved: ${why}`,
    moved: (time: string) => `Moved to ${time}.`,
    movedBack: "Moved back.",
    copied: (time: string) => `Copied to ${time}.`,
    notCopied: (why: string) => `Not copied: ${why}`,

    title: "Move to another time",
    edit: "Edit it",
    duplicate: "Duplicate it",
    dateAndTime: "Date and time",
    readAs: (time: string, zone: string) => `${time}, read in your zone, ${zone}.`,
    noDate: "Enter a date and a time.",
    leave: "Cancel",
    move: "Move",
  },

  changesMark: {
    asked: "Changes asked for",
    /** The same, read aloud before the post's own words where the mark is a sign alone. */
    askedThen: "Changes asked for, ",
  },

  receipt: {
    title: "What happened",
    couldNotRead: (why: string) => `What happened could not be read: ${why}`,
    outcomes: {
      PUBLISHED: "Published",
      WAITING: "Waited",
      RETRYING: "Failed, trying again",
      LOOKING: "Looked it up",
      FAILED: "Failed",
      UNKNOWN: "Outcome unknown",
    } satisfies { [outcome in Attempt["outcome"]]: string },
    /** More than once in a row, behind the outcome. */
    times: (count: number) => `${count} times`,
    /** `when`: "in 5 minutes" */
    nextLook: (when: string) => `Next look ${when}.`,

    answer: (network: string) => `What ${network} answered`,
    /** In place of the name of a network that is not offered any more. */
    theNetwork: "the network",
    never:
      "Carillon never sends a post twice: after a lost answer it looks on the network whether the post has arrived.",
    noAnswer: "No answer",
    /** An HTTP status. */
    status: (code: number) => `Status ${code}`,
  },

  page: {
    posts: "Posts",

    importAction: "Import",
    exportAction: "Export",
    findDuplicates: "Find duplicates",
    post: "Post",
  },
} as const;
