import { serverNow } from "../api/clock";
import type { Submission } from "../api/queries";
import { fromLocalField } from "../time/format";
import type { Draft } from "./draft";
import type { Target } from "./targets";

/** The request for what is on the page. "Now" is the server's now, so a wrong browser clock cannot delay or refuse it. */
export function submissionOf(draft: Draft, targets: Target[], paths: string[]): Submission {
  const at = draft.when === "later" ? fromLocalField(draft.at) : undefined;
  return {
    key: randomKey(),
    body: {
      scheduledTime: (at ?? new Date(serverNow())).toISOString(),
      isDraft: false,
      publications: targets.map(({ account, network, settings, text, chatId }) => ({
        socialMediaAccountId: account.id,
        platformSettings: { ...settings, type: network.settingsType },
        posts: [{ content: text, attachmentPaths: paths, chatId }],
      })),
    },
  };
}

// `crypto.randomUUID` exists on https and loopback only.
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
