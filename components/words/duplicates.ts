/** The texts of the page that finds posts that say the same, and makes one of them. */

export const couldNotLoad = (why: string) => `Could not load what says the same: ${why}`;
export const couldNotLoadAccounts = (why: string) => `Could not load your accounts: ${why}`;
export const couldNotLoadMore = (why: string) => `Could not load more of them: ${why}`;
export const looking = "Looking for posts that say the same";
export const showMore = "Show more";
/** On the button above, while it is at it. */
export const loadingMore = "Loading…";
export const notAll = "You have very many posts: the 2,000 that go out soonest were compared.";

export const howNear = "How near in time";
export const withinDay = "Within a day";
export const withinWeek = "Within a week";
export const anyTime = "At any time";
export const noneAtAll = "No two posts that are still to go out say the same.";
export const noneSoNear = "No two posts that go out so near each other say the same.";
export const lookAtAnyTime = "Look at any time";
export const backToPosts = "Back to your posts";

/** Read aloud: the list of groups. */
export const groups = "Posts that say the same";
/** Ticks them. There are two at least, as in all that follows. */
export const allGroups = (count: number) => `All ${count.toLocaleString("en")} groups`;
export const allPosts = (count: number) => `All ${count} posts`;
/** Besides those that are shown. */
export const moreAlike = (count: number, shown: number) =>
  count === 1
    ? `1 more post says the same. Merge these ${shown} first.`
    : `${count.toLocaleString("en")} more posts say the same. Merge these ${shown} first.`;
export const tickAnother = "Tick another one that it is to be merged with.";
/** Of several posts, the one that is left. */
export const stays = "Stays";
export const seeIt = "See it";
/** Stands where a draft has no time. */
export const noTime = "No time yet";

export const lookingAhead = "Looking at what would come of it …";
export const merge = (posts: number) => `Merge ${posts} posts into one`;
export const merging = "Merging …";
/** While nothing can be merged. */
export const mergeTicked = "Merge all ticked";
export const mergeAll = (posts: number, groups: number) => `Merge ${posts} posts into ${groups}`;
export const mergeAllQuestion = (posts: number, groups: number) => `Merge ${posts} posts into ${groups}?`;
export const removedForGood = (count: number) =>
  count === 1 ? "1 post is removed for good." : `${count.toLocaleString("en")} posts are removed for good.`;
/** How many of the groups lose something. What each of them loses follows. */
export const losing = (count: number, groups: number) => {
  if (count === 0) return "Nothing else is lost.";
  if (count === groups) return groups === 1 ? "Something is lost by it:" : "Something is lost in each group:";
  return count === 1 ? "1 of the groups loses something:" : `${count} of the groups lose something:`;
};
export const leave = "Leave them as they are";

// What would come of a merge.
export const removed = (count: number) =>
  count === 1 ? "1 post is removed." : `${count.toLocaleString("en")} posts are removed.`;
export const goesOutOn = (accounts: string) => `The one that stays goes out on ${accounts}, as before.`;
export const goesOutToo = (accounts: string, added: string) =>
  `The one that stays goes out on ${accounts}, and now on ${added} too.`;
/** `a`, `a and b`, `a, b and c` */
export const listed = (parts: string[]) =>
  parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

// How a post is named: in a sentence, and where it begins one.
export const post = (time: string) => `the post of ${time}`;
export const postFirst = (time: string) => `The post of ${time}`;
export const draft = "the draft without a time";
export const draftFirst = "The draft without a time";

// What would be lost by it.
/** What one post has that the one that stays does not, in the sentence below. */
export const others = {
  attachmentPaths: "other files",
  platformSettings: "other settings",
  chatId: "another destination",
  thumbnail: "another cover",
};
export const othersLost = (post: string, others: string, account: string) =>
  `${post} has ${others} on ${account}, which go with it.`;
export const goesNowhere = "The one that stays is a draft: nothing goes out until you schedule it.";
export const otherDays = (count: number) =>
  count === 1
    ? "It no longer goes out on 1 other day."
    : `It no longer goes out on ${count.toLocaleString("en")} other days.`;
export const changesLost = (post: string) => `Changes are asked for in the feedback on ${post}, which goes with it.`;
export const feedbackLost = (post: string) => `The feedback on ${post} goes with it.`;

// What is in the way of it.
export const clash = (one: string, other: string, account: string) =>
  `${one} and ${other} say different things on ${account}. Take the tick from one of them.`;
// What is wrong is told by the API, and has no subject: "is in the past".
export const timeIs = (wrong: string) => `The time of the one that stays ${wrong}`;
export const accountIs = (wrong: string) => `An account ${wrong}`;
export const partIs = (wrong: string) => `A part of it ${wrong}`;

// What came of it: of all groups, in one line, and of each.
export const merged = (count: number) =>
  count === 1 ? "1 group merged" : `${count.toLocaleString("en")} groups merged`;
export const leftAlone = (count: number) =>
  count === 1 ? "1 group left as it was" : `${count.toLocaleString("en")} groups left as they were`;
export const unknown = (count: number) =>
  count === 1 ? "1 group nobody knows about" : `${count.toLocaleString("en")} groups nobody knows about`;
export const nobodyKnows = "Nobody knows whether it was merged. Look at it before you try again.";
export const notMerged = (why: string) => `Nothing was changed: ${why}`;
export const areOne = (posts: number) => `${posts} posts are one now.`;
