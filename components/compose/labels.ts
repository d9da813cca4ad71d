import type { Platform } from "@/lib/platforms";
import { words } from "./words";

/** What fields are called where their name on the wire would not tell a person what they do. */
const LABELS: { [P in Platform]?: { [field: string]: string } } = {
  FACEBOOK: { publicationType: "Publish as" },
  INSTAGRAM: { publicationType: "Publish as", aiContent: "Made with AI" },
  LINKEDIN: { visibility: "Who can see it" },
  PINTEREST: { link: "Link that the Pin opens", altText: "Alt text", boardSectionId: "Section of the board" },
  THREADS: { topicTag: "Topic" },
  TIKTOK: { privacyLevel: "Who can see it" },
  YOUTUBE: { privacyStatus: "Who can see it" },
};

const COMMON: { [field: string]: string } = {
  content: "The text",
  attachmentPaths: "A file",
  chatId: "The place",
  thumbnailPath: "The cover",
};

export function labelOf(platform: Platform, field: string): string {
  return LABELS[platform]?.[field] ?? COMMON[field] ?? words(field);
}

/** A line below a field whose name does not say enough. */
const HINTS: { [P in Platform]?: { [field: string]: string } } = {
  PINTEREST: {
    altText: "What the picture shows, for people who cannot see it.",
  },
  THREADS: { topicTag: "One topic, with or without #." },
};

export function hintOf(platform: Platform, field: string): string | undefined {
  return HINTS[platform]?.[field];
}
