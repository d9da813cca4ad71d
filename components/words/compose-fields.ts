/** What the fields of a post are called, where their name on the wire would not tell a person what they do. */
import type { Platform } from "@/lib/platforms";

/** Settings of one network. */
export const names: { [P in Platform]?: { [field: string]: string } } = {
  FACEBOOK: { publicationType: "Publish as" },
  INSTAGRAM: { publicationType: "Publish as", aiContent: "Made with AI" },
  LINKEDIN: { visibility: "Who can see it" },
  PINTEREST: { link: "Link that the Pin opens", altText: "Alt text", boardSectionId: "Section of the board" },
  THREADS: { topicTag: "Topic" },
  TIKTOK: { privacyLevel: "Who can see it" },
  YOUTUBE: { privacyStatus: "Who can see it" },
};

/** What every network has. */
export const commonNames: { [field: string]: string } = {
  content: "The text",
  attachmentPaths: "A file",
  chatId: "The place",
  thumbnailPath: "The cover",
};

/** A line below a field whose name does not say enough. */
export const hints: { [P in Platform]?: { [field: string]: string } } = {
  PINTEREST: {
    altText: "What the picture shows, for people who cannot see it.",
  },
  THREADS: { topicTag: "One topic, with or without #." },
};
