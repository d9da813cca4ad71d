/** The texts of the page that finds near-duplicates and merges them. */
export const duplicateWords = {
  couldNotLoad: (why: string) => `Could not load the duplicates: ${why}`,
  couldNotLoadAccounts: (why: string) => `Could not load your accounts: ${why}`,
  couldNotLoadMore: (why: string) => `Could not load more of them: ${why}`,
  looking: "Looking for duplicates",
  showMore: "Show more",
  /** On the button above, while it is working. */
  loadingMore: "Loading…",
  notAll: "You have very many posts: the 2,000 that go out soonest were compared.",

  howNear: "How near in time",
  withinDay: "Within a day",
  withinWeek: "Within a week",
  anyTime: "At any time",
  noneAtAll: "No duplicates",
  noneSoNear: "No duplicates within this time",
  lookAtAnyTime: "Look at any time",
  backToPosts: "Back to your posts",

  /** Read aloud: the list of groups. */
  groups: "Duplicates",
  /** Ticks them. There are at least two, here and below. */
  allGroups: (count: number) => `All ${count.toLocaleString("en")} groups`,
  allPosts: (count: number) => `All ${count} posts`,
  /** The number of further ones. */
  moreAlike: (count: number, shown: number) =>
    count === 1
      ? `1 more duplicate. Merge these ${shown} first.`
      : `${count.toLocaleString("en")} more duplicates. Merge these ${shown} first.`,
  tickAnother: "Choose another post to merge it with.",
  /** The one of several posts that is kept. */
  stays: "Stays",
  seeIt: "See it",
  /** In place of the time of a draft without one. */
  noTime: "No time yet",

  lookingAhead: "Working out the result…",
  merge: (posts: number) => `Merge ${posts} posts into one`,
  merging: "Merging …",
  /** While nothing can be merged. */
  mergeTicked: "Merge all ticked",
  mergeAll: (posts: number, groups: number) => `Merge ${posts} posts into ${groups}`,
  mergeAllQuestion: (posts: number, groups: number) => `Merge ${posts} posts into ${groups}?`,
  removedForGood: (count: number) =>
    count === 1 ? "1 post is removed for good." : `${count.toLocaleString("en")} posts are removed for good.`,
  /** How many of the groups lose something. What each of them loses follows. */
  losing: (count: number, groups: number) => {
    if (count === 0) return "Nothing else is lost.";
    if (count === groups) return groups === 1 ? "Something is lost by it:" : "Something is lost in each group:";
    return count === 1 ? "1 of the groups loses something:" : `${count} of the groups lose something:`;
  },
  leave: "Leave them as they are",

  // The result of a merge, before it is made.
  removed: (count: number) => (count === 1 ? "1 post is removed." : `${count.toLocaleString("en")} posts are removed.`),
  goesOutOn: (accounts: string) => `The one that stays goes out on ${accounts}, as before.`,
  goesOutToo: (accounts: string, added: string) =>
    `The one that stays goes out on ${accounts}, and now on ${added} too.`,
  /** `a`, `a and b`, `a, b and c` */
  listed: (parts: string[]) =>
    parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`,

  // How a post is named: in a sentence, and where it begins one.
  post: (time: string) => `the post of ${time}`,
  postFirst: (time: string) => `The post of ${time}`,
  draft: "the draft without a time",
  draftFirst: "The draft without a time",

  // What a merge would lose.
  /** Part of the sentence below: what a removed post has and the kept one does not. */
  others: {
    attachmentPaths: "other files",
    platformSettings: "other settings",
    chatId: "another destination",
    thumbnail: "another cover",
  },
  othersLost: (post: string, others: string, account: string) =>
    `${post} has ${others} on ${account}, which go with it.`,
  goesNowhere: "The one that stays is a draft: nothing goes out until you schedule it.",
  otherDays: (count: number) =>
    count === 1
      ? "It no longer goes out on 1 other day."
      : `It no longer goes out on ${count.toLocaleString("en")} other days.`,
  changesLost: (post: string) => `Changes are asked for in the feedback on ${post}, which goes with it.`,
  feedbackLost: (post: string) => `The feedback on ${post} goes with it.`,

  // Why a merge is not possible.
  clash: (one: string, other: string, account: string) =>
    `${one} and ${other} say different things on ${account}. Untick one of them.`,
  // The API's message has no subject: "is in the past".
  timeIs: (wrong: string) => `The time of the one that stays ${wrong}`,
  accountIs: (wrong: string) => `An account ${wrong}`,
  partIs: (wrong: string) => `A part of it ${wrong}`,

  // The results: all groups in one line, then each group.
  merged: (count: number) => (count === 1 ? "1 group merged" : `${count.toLocaleString("en")} groups merged`),
  leftAlone: (count: number) =>
    count === 1 ? "1 group left as it was" : `${count.toLocaleString("en")} groups left as they were`,
  unknown: (count: number) =>
    count === 1 ? "1 group with an unknown outcome" : `${count.toLocaleString("en")} groups with an unknown outcome`,
  nobodyKnows: "It may have been merged. Look at it before you try again.",
  notMerged: (why: string) => `Nothing was changed: ${why}`,
  areOne: (posts: number) => `${posts} posts are one now.`,

  page: {
    duplicates: "Duplicates",
    duplicatesLead: "Scheduled posts and drafts with the same text. Choose those to merge, and see the result first.",
  },
} as const;
