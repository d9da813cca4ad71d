/** The supported networks: the platform value in the API, and the name in settings and in the sandbox's paths. */
export const platforms = {
  X_TWITTER: "x",
  YOUTUBE: "youtube",
  THREADS: "threads",
  TIKTOK: "tiktok",
  INSTAGRAM: "instagram",
  LINKEDIN: "linkedin",
  BLUE_SKY: "bluesky",
  TELEGRAM: "telegram",
  FACEBOOK: "facebook",
  PINTEREST: "pinterest",
} as const;

export type Platform = keyof typeof platforms;
export type NetworkName = (typeof platforms)[Platform];

export const platformValues = Object.keys(platforms) as [Platform, ...Platform[]];
export const networkNames = Object.values(platforms);
