/** The texts of the library of files. */
import type { Import } from "../library/queries";

export const add = "Add files";
export const files = "Files";
export const loading = "Loading your files";
export const couldNotLoad = (why: string) => `Could not load your files: ${why}`;
export const nothingYet = "Nothing here yet. Add a picture or a video above; it will be ready for every post.";
export const noneFound = "No file is like that.";
/** The same, while older files are not loaded. */
export const noneFoundYet = "No file is like that among those loaded so far.";
export const showOlder = "Show older files";
/** On the button above, while it is at it. */
export const loadingOlder = "Loading…";

export const findByName = "Find by name";
/** Which kinds of files are shown. */
export const show = "Show";
export const kinds = { all: "Everything", image: "Pictures", video: "Videos" };

export const fromAddress = "Or fetch it from a web address";
export const giveAddress = "Give the address.";
export const fetchIt = "Fetch";
/** Read aloud: the list of what is fetched. */
export const imports = "Imports";
/** Read aloud: how far one of them is. */
export const fetchingFrom = (url: string) => `Fetching ${url}`;
/** How an import stands; while it is fetched, with its size as far as that is known. */
export const importStates: { [state in Exclude<Import["state"], "DOWNLOADING">]: string } = {
  QUEUED: "Waiting",
  VALIDATING: "Checking",
  UPLOADING: "Storing",
  READY: "Ready",
  FAILED_TEMPORARY: "Did not work; it will be tried again",
  FAILED_PERMANENT: "Failed",
};
export const fetching = (done: string) => `Fetching, ${done}`;
export const fetchingOf = (done: string, all: string) => `Fetching, ${done} of ${all}`;
/** How it stands, and what went wrong. */
export const stateBecause = (state: string, why: string) => `${state}: ${why}`;

/** On a video whose length is unknown. */
export const video = "Video";
/** Read aloud before the length of a video. */
export const videoOf = "Video, ";
export const use = "Use in a post";
export const remove = "Delete";
export const removing = "Deleting…";
export const removeQuestion = "Delete this file?";
export const removeForGood = "It is gone for good. What is out on a network already stays there.";
/** A list of posts follows. */
export const stillNeeded = "It cannot be deleted while these posts still need it:";
export const close = "Close";

/** Over the posts that have the file. */
export const usedIn = "Used in";
export const notUsed = "No post yet.";
export const usedInOlder = "And in older posts.";
/** A post without a text. */
export const post = (id: number) => `Post ${id}`;
