import type { OutgoingMedia } from "./publishing";
import type { NetworkSession } from "./session";

/**
 * `byHand` says what the operator must look at because no call shows it, where it is, and why it matters. `found` says what a call
 * did show. Both are sentences without their full stop.
 */
export type ByHand = { byHand: string; found?: string };

/**
 * One check of `doctor --live`. `run` publishes nothing and returns what was found, in one sentence without the final stop, or how
 * to check it by hand if the network did not say; `fix` is what the operator should do if the network refuses. `nothing` says why
 * there is nothing to check.
 */
export type LiveCheck =
  | { run(session: NetworkSession): Promise<string | ByHand>; fix: string }
  | ByHand
  | { nothing: string };

/** What `doctor --live` checks besides identity and scopes, which the rest of the definition describes. */
export type LiveChecks = {
  /** The products, reviews and access levels of our application. */
  products: LiveCheck;
  /** What the network allows per day, for the account or for our application. */
  quotas: LiveCheck;
  /** Uploads, or prepares, something that is never published. */
  upload: LiveCheck;
  webhooks: LiveCheck;
  /** The address under which the network sends its notifications (`Network.notifications`): it must lead to this service first. */
  callbacksUnder?: "appUrl" | "baseUrl";
};

/** A plain PNG image of 512 x 512 pixels, which Telegram also takes as a sticker. */
const IMAGE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAgAAAAIAAQMAAADOtka5AAAAA1BMVEUAeHgeQjcqAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAANklEQVR42u3BAQEAAACCIP+vbkhAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB8G4IAAAFjdVCkAAAAAElFTkSuQmCC",
  "base64",
);

/** An image for uploads that are not used. It has no public address. */
export const testImage: OutgoingMedia & { bytes: Uint8Array } = {
  kind: "image",
  contentType: "image/png",
  sizeBytes: IMAGE.length,
  filename: "carillon-check.png",
  width: 512,
  height: 512,
  bytes: IMAGE,
  open: async () => new Blob([IMAGE]).stream(),
  publicUrl: async () => {
    throw new Error("the test image has no public address");
  },
};

/** A file of this size is announced by checks that only open an upload. */
export const testVideo: OutgoingMedia = {
  ...testImage,
  kind: "video",
  contentType: "video/mp4",
  filename: "check.mp4",
};
