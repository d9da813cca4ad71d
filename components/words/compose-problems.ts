/** The texts of what is in the way of a post in the composer, and of the buttons that help. */

/** Of a thread, in front of a problem that one of its parts has. */
export const inPart = (part: number, problem: string) => `Part ${part}: ${problem}`;

// What is in the way.
export const chooseAccount = "Choose at least one account.";
export const writeSomething = "Write something or add a picture.";
export const filesUnderWay = "Files are still being uploaded.";
export const coverUnderWay = "A cover is still being uploaded.";
export const coverFailed = "A cover did not upload. Choose it again or leave it out.";
export const fileFailed = "A file did not upload. Try it again or remove it.";
export const lookingUpPlaces = (network: string) => `Looking up where this ${network} account can post.`;
export const noPlaces = (network: string) =>
  `This ${network} account has nowhere to post yet. Add a place under Accounts.`;
export const doesNotSay = (network: string, why: string) =>
  `${network} does not say what this account may choose: ${why}`;
export const asking = (network: string) => `Asking ${network} what this account may choose.`;
export const notOffered = (network: string, setting: string, choice: string) =>
  `${setting}: ${network} does not offer ${choice} to this account.`;
export const noSlot = "There is no free slot to take.";
export const noTime = "Pick a date and a time.";
export const timePassed = "The time you picked has passed.";
export const noPlace = "Choose where to post.";
export const notSet = (field: string) => `“${field}” has to be set.`;
export const noText = "A text is needed.";
export const noTextIn = (field: string) => `${field} is needed.`;
/** @param field what the text is: "The text", "Title" */
export const tooManyCharacters = (field: string, over: number, network: string, most: number) =>
  `${field} is ${characters(over)} too long: ${network} takes ${number(most)}.`;
export const tooManyBytes = (field: string, over: number, network: string, most: number) =>
  `${field} is ${bytes(over)} too long: ${network} takes ${number(most)}.`;
export const altTextTooLong = (file: string, over: number, network: string, most: number) =>
  `The alt text of ${file} is ${characters(over)} too long: ${network} takes ${number(most)}.`;
/** In the place of a file's name. */
export const theFile = "the file";
export const theText = "The text";

// What a button beside it does.
export const leaveAccountOut = "Leave this account out";
export const chooseAccounts = "Choose accounts";
export const write = "Write";
export const goToFiles = "Go to the files";
export const goToText = "Go to the text";
export const goTo = (field: string) => `Go to “${field}”`;
export const postNow = "Post it now";
export const pickTime = "Pick a time";
export const pickAnother = "Pick another";
export const choosePlace = "Choose a place";
export const onlyPlace = "Use its only place";
export const cutToFit = "Cut it to fit";
export const shortenAltText = "Shorten the alt text";
/** Angle brackets, which YouTube does not take. */
export const removeThem = "Remove them";
export const leaveSectionOut = "Leave the section out";
export const sendFirst = (count: number) => `Send the first ${count} only`;
/** Where nothing says what the change is. */
export const mend = "Mend it";
export const splitIntoThread = (parts: number) => `Split into a thread of ${parts}`;
export const splitIntoMessages = "Split into several messages";
export const sendFirstFile = "Send the first file only";
export const sendTextAlone = "Send the text alone";
export const addPicture = "Add a picture";
export const addVideo = "Add a video";
export const addPictureOrVideo = "Add a picture or video";
/** @param kind as the network calls it: "reels", "story" */
export const publishAs = (kind: string) => `Publish as ${kind}`;
export const leaveVideosOut = "Leave the videos out";
export const leavePicturesOut = "Leave the pictures out";
export const leaveFileOut = (file: string) => `Leave ${file} out`;
export const removePart = (part: number) => `Remove part ${part}`;

const number = (count: number) => count.toLocaleString("en");
const characters = (count: number) => (count === 1 ? "1 character" : `${number(count)} characters`);
const bytes = (count: number) => (count === 1 ? "1 byte" : `${number(count)} bytes`);
