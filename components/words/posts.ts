/** The texts of the list of posts, and of the page of one. */

export const couldNotLoad = (why: string) => `Could not load your posts: ${why}`;
export const loading = "Loading posts";
export const showOlder = "Show older posts";
/** On the button above, while it is at it. */
export const loadingOlder = "Loading…";
export const nothingYet = "Nothing written yet. Your first post will show up here and turn to “Published” by itself.";
export const write = "Write a post";

// The page of a post.
export const allPosts = "All posts";
/** Read aloud: the title of the page. */
export const post = (id: string) => `Post ${id}`;
export const loadingPost = "Loading the post";
export const couldNotLoadPost = (why: string) => `Could not load this post: ${why}`;
/** What a post sends besides its text: "With 2 pictures, 1 video". */
export const withFiles = (files: string) => `With ${files}`;

// What can be done with it.
export const tryAgain = "Try again";
export const asking = "Asking…";
export const notTriedAgain = (why: string) => `Not tried again: ${why}`;
export const edit = "Edit";
/** The same, of a draft. */
export const goOn = "Go on writing";
export const duplicate = "Duplicate";
export const repeat = "Repeat…";
export const remove = "Delete this post";
export const removing = "Deleting…";
export const removed = "Deleted. It will not go out.";
export const notRemoved = (why: string) => `Not deleted: ${why}`;
export const broughtBack = "Brought back.";
export const notBroughtBack = (why: string) => `Not brought back: ${why}`;
