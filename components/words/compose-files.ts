/** The texts of the field that takes pictures and videos, in the composer and in the library. */

export const title = "Pictures and videos";
export const addFiles = "Add files";
/** Goes on from the button "Add files" beside it. */
export const orDrop = "or drop or paste them, up to 100 MB each";
/** In place of that while files hang on the pointer. */
export const dropToAdd = "Drop to add";
export const readingFolder = "Reading the folder…";

// Of one file, by its name. Files stand in a row: forward is towards the first.
export const uploading = (name: string) => `Uploading ${name}`;
export const checking = "Checking…";
export const moveForward = (name: string) => `Move ${name} forward`;
export const moveBack = (name: string) => `Move ${name} back`;
export const moved = (name: string, place: number, count: number) => `${name} is number ${place} of ${count} now.`;
export const tryAgain = (name: string) => `Try ${name} again`;
export const cancel = (name: string) => `Cancel ${name}`;
export const remove = (name: string) => `Remove ${name}`;
