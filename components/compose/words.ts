/** The texts of the composer: the post, its accounts and its time. */
export const composeWords = {
  // Which accounts a post goes to.
  postTo: "Post to",
  lastUsed: "Last used",
  /** Those in no group. */
  otherAccounts: "Other accounts",
  findAccount: "Find an account",
  noAccountFound: "No accounts match",
  /** Of the accounts of a network or a group. */
  chosenOf: (chosen: number, all: number) => `${chosen} of ${all}`,
  noAccount: "No account is connected yet. What you write here is kept while you connect one.",
  connect: "Connect an account",
  /** In place of a network's name below an account's. */
  toReconnect: (network: string) => `${network}, needs reconnecting`,

  // The text, or the parts of a thread.
  text: "Text",
  placeholder: "What do you want to say?",
  part: (number: number) => `Part ${number}`,
  makeThread: "Make it a thread",
  addPart: "Add a part",
  movePartUp: (number: number) => `Move part ${number} up`,
  movePartDown: (number: number) => `Move part ${number} down`,
  removePart: (number: number) => `Remove part ${number}`,
  partAdded: (number: number, count: number) => `Added part ${number} of ${count}.`,
  partMoved: (number: number, count: number) => `It is part ${number} of ${count} now.`,
  partRemoved: (left: number) => (left === 1 ? "Removed. One part is left." : `Removed. ${left} parts are left.`),
  filesOfPart: (number: number) => `Pictures and videos of part ${number}`,
  noThreads: "No chosen account takes threads: the parts become one text.",
  /** The gaps are keys; `{up}` and `{down}` are arrows. */
  partKeys: "{alt} {enter} adds a part, {alt} {up} and {alt} {down} move it.",
  alt: "Alt",
  enter: "Enter",

  // How long a text is, by a network's limit. The numbers are written out already.
  tooMany: (count: string) => `${count} over`,
  left: (count: string) => `${count} left`,
  used: (count: string, most: string) => `${count} of ${most}`,
  countedIn: (unit: string) => `Counted as the network counts: ${unit}`,

  // Where the draft is stored at the moment.
  keptAsTyped: "Kept as you type.",
  keptHere: "Saved on this device. Choose an account to save it as a draft.",
  savingDraft: "Saving the draft…",
  savedAsDraft: "Saved as a draft.",
  keptHereOnly: "Saved on this device only.",
  goneElsewhere: "It was scheduled or sent from another page. Delete this draft to start again.",
  offline: "You’re offline. Saved on this device.",
  offlineUnsaved: "You’re offline. Keep this page open to save your changes later.",
  savedBySomebody: "Someone else changed this post too. Compare the two versions.",
  compare: "Compare and choose",
  plannedAsIs: "Scheduled.",
  notSavedYet: "Your changes are not saved yet.",

  sharePreview: "Share preview",
  more: "More",
  close: "Close",

  // The text of all accounts and of each network, on tabs, and the previews.
  versions: "Versions of this post",
  allAccounts: "All accounts",
  previewFor: "Preview for",
  preview: "Preview",
  previewSize: "Preview size",
  phone: "Phone",
  desktop: "Desktop",
  chooseAccount: "Choose an account to see what it will get.",
  /** Read aloud behind the name or the number on a tab. */
  customised: "customised",
  issues: (count: number) => (count === 1 ? " issue" : " issues"),
  textFor: (network: string) => `Text for ${network}`,
  isCustomised: (network: string) => `Customised for ${network}. Changes to “All accounts” no longer reach it.`,
  isShared: (network: string) => `The shared text. Change it here to customise it for ${network}.`,
  commonAgain: "Use the shared text",
  splitVersion: (accounts: number) => `Customise each of the ${accounts} accounts`,
  giveFileBack: (file: string) => `Use ${file} again`,
  hashtag: "Hashtag",
  mention: "Mention",
  link: "Link",
  addComment: "Add a first comment",
  emoji: "Emoji",
  findEmoji: "Find an emoji",
  noEmojiFound: "No emoji match",
  noEmojiLoaded: "The emoji could not be loaded. Open them again to retry.",
  becomesOneText: (network: string) => `${network} takes one post, so the parts become one text.`,
  showsNoText: (network: string) => `${network} shows no text here; yours will not be sent.`,

  // A network's own fields. A place is a channel, a Page or a board.
  whereToPost: "Where to post",
  postsTo: (place: string) => `Posts to ${place}.`,
  choose: "Choose…",
  settingsOf: (network: string) => `${network} settings`,
  withComment: "First comment",
  /** Of a board's sections. */
  noSection: "None, the board itself",
  /** What a button below a field opens. @param field such as `Playlist` */
  chooseFor: (field: string) => `Choose the ${field.toLowerCase()}`,
  chooseFile: "Choose a file",
  fileTooLong: (file: string) => `${file} is too long.`,
  sectionsNotRead: (why: string) => `The sections cannot be read: ${why}`,

  // A picture's crop and a video's cover. The text after them is only read aloud.
  cropOf: (picture: string) => `Crop ${picture}`,
  undoCrop: "Undo {theCrop}",
  theCropOf: (picture: string) => `the crop of ${picture}`,
  chooseCover: "Choose a cover {ofVideo}",
  anotherCover: "Another cover {ofVideo}",
  ofVideo: (video: string) => `for ${video}`,
  hasCover: "Has a cover.",
  coverUnderWay: (percent: number) => `Cover: ${percent} %`,
  coverGoesTo: (networks: string) => `Goes to ${networks}.`,
  /** The networks that accept no cover. @param count how many there are */
  chooseThemselves: (networks: string, count: number) =>
    count === 1 ? `${networks} chooses by itself.` : `${networks} choose by themselves.`,

  // When it goes out.
  when: "When",
  now: "Now",
  nextSlot: "Next free time",
  pickTime: "Pick a time",
  dateAndTime: "Date and time",
  timeSkipped: (takenAs: string) => `The clocks skip this time that night, so it is taken as ${takenAs}.`,
  timeTwice: (zone: string) => `The clocks go back that night, so this time comes twice. The one in ${zone} is meant.`,
  slotOfAccounts: "The next free posting time of the chosen accounts.",
  lookingForSlot: "Looking for the next free time…",
  slotNotLookedUp: "We couldn’t find a free time. Try again.",
  noTimes: "No posting times yet.",
  noCommonTime: "The chosen accounts share no free time within a year.",
  giveTimes: "Set posting times (in a new tab)",
  timeIn: (time: string, fromNow: string, zone: string) => `${time}, ${fromNow}, ${zone}`,

  /** @param account such as `Bluesky (@ann.example)` */
  sameText: (account: string, time: string) => `${account} has the same text on ${time}.`,
  seeThatPost: "See that post",

  // The problems, and the button that sends.
  /** @param done `scheduled`, `posted` or `saved` */
  issuesToFix: (count: number, done: string) =>
    `${count === 1 ? "1 issue" : `${count} issues`} to fix before this can be ${done}`,
  fixIssues: (count: number, to: string) => `Fix ${count === 1 ? "1 issue" : `${count} issues`} to ${to}`,
  /** What the button does, and when that is done. */
  sendings: {
    save: ["save", "saved"],
    now: ["post", "posted"],
    next: ["schedule", "scheduled"],
    later: ["schedule", "scheduled"],
  },
  altTextNotSaved: (why: string) => `The alt text could not be saved. ${why}`,
  notSent: (why: string) => `Not sent: ${why}`,
  saveChanges: "Save changes",
  postNow: (toAccounts: number) => (toAccounts > 1 ? `Post now to ${toAccounts} accounts` : "Post now"),
  schedule: (toAccounts: number) => (toAccounts > 1 ? `Schedule to ${toAccounts} accounts` : "Schedule"),
  sending: "Sending…",
  sendKeys: "Ctrl + Enter or ⌘ + Enter. With Shift it goes out now.",

  // Starting from an existing post, to change or copy it.
  loadingPost: "Loading the post",
  hasBegun: "It has begun to go out, so it can no longer be changed.",
  cannotShowAll: "This page cannot show all of this post, such as a disconnected account, and would lose it.",
  backToPost: "Back to the post",
} as const;
