import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { db, partnerBranding, partners, users } from "../db";
import { BadRequest, NotFound } from "../errors";
import { redrawImage, UnusableFile } from "../media";
import { isLanguage, type PageLanguage, pageLanguages } from "./languages";
import { partnerRedirectProblem } from "./redirect-uri";

/** Pixels of a stored logo: three times the box in which it is shown. */
const LOGO_BOX = { width: 720, height: 144 };
const LOGO_BYTES = 1_048_576;

/** How the connect pages look to a partner's users. */
export type Branding = {
  /** The partner's name, as its users know it. */
  name: string;
  accent?: Accent;
  language?: PageLanguage;
  /** Target of the "Back to …" button. */
  homeUrl?: string;
  /** A path on APP_URL. */
  logoUrl?: string;
};

/** Settings to change: an absent one stays as it is, null removes it. `logo` holds the bytes of an image file of any type. */
export type BrandingChange = {
  displayName?: string | null;
  accent?: string | null;
  accentDark?: string | null;
  language?: PageLanguage | null;
  homeUrl?: string | null;
  logo?: Uint8Array | null;
};

/** The stored settings, null where nothing is set. */
export type BrandingSettings = {
  displayName: string | null;
  accent: string | null;
  accentDark: string | null;
  language: PageLanguage | null;
  homeUrl: string | null;
  logoUrl: string | null;
};

type Row = typeof partnerBranding.$inferSelect;

/**
 * The problems of a change; each message starts with the field's name. For a colour without enough contrast, the message
 * names the nearest readable colour.
 */
export function brandingProblems(change: Omit<BrandingChange, "logo">): string[] {
  const { displayName, accent, accentDark, language, homeUrl } = change;
  const home = homeUrl ? partnerRedirectProblem(homeUrl) : undefined;
  return [
    displayName !== undefined && displayName !== null && nameProblem(displayName),
    accent && colourProblem("accent", accent, "light"),
    accentDark && colourProblem("accentDark", accentDark, "dark"),
    language && !isLanguage(language) && `language must be one of ${pageLanguages.join(", ")}`,
    home && `homeUrl ${home}`,
  ].filter((problem): problem is string => typeof problem === "string" && problem !== "");
}

function nameProblem(name: string): string | undefined {
  const isText = z.string().trim().min(1).max(60).safeParse(name).success;
  if (!isText) return "displayName must have 1 to 60 characters";
  return /\p{Cc}|\p{Co}|\p{Cs}|[\u202a-\u202e\u2066-\u2069]/u.test(name)
    ? "displayName contains a control character"
    : undefined;
}

function colourProblem(field: string, colour: string, theme: "light" | "dark"): string | undefined {
  if (!isColour(colour)) return `${field} must be a colour such as #0b655c`;
  if (isReadable(colour, theme)) return undefined;
  return `${field} is not readable on a ${theme} page (WCAG 2.2 requires a contrast of 4.5); the nearest readable colour is ${nearestReadable(colour, theme)}`;
}

/**
 * Changes how the connect pages look to a partner's users.
 * @throws BadRequest with every problem; NotFound if the partner does not exist
 */
export async function saveBranding(partnerId: string, change: BrandingChange): Promise<BrandingSettings> {
  const { logo, ...rest } = change;
  const problems = brandingProblems(rest);
  if (logo && logo.length > LOGO_BYTES) problems.push("logo must be at most 1 MB");
  if (problems.length > 0) throw new BadRequest(...problems);
  await assertPartner(partnerId);
  const image = logo ? await redrawLogo(partnerId, logo) : logo; // null removes it, undefined keeps it
  const values = {
    ...rest,
    ...(rest.displayName ? { displayName: rest.displayName.trim() } : {}),
    ...(image === undefined
      ? {}
      : { logo: image, logoDigest: image && createHash("sha256").update(image).digest("hex") }),
  };
  const [row] = await db
    .insert(partnerBranding)
    .values({ partnerId, ...values })
    .onConflictDoUpdate({ target: partnerBranding.partnerId, set: { ...values, updatedAt: sql`now()` } })
    .returning();
  return settingsOf(row);
}

async function redrawLogo(partnerId: string, logo: Uint8Array): Promise<Buffer> {
  try {
    return await redrawImage(logo, LOGO_BOX, partnerId);
  } catch (error) {
    if (error instanceof UnusableFile) throw new BadRequest(error.message.replace(/^file/, "logo"));
    throw error;
  }
}

export async function getBrandingSettings(partnerId: string): Promise<BrandingSettings> {
  const [row] = await db.select().from(partnerBranding).where(eq(partnerBranding.partnerId, partnerId));
  return settingsOf(row);
}

function settingsOf(row: Row | undefined): BrandingSettings {
  const { displayName = null, accent = null, accentDark = null, language = null, homeUrl = null } = row ?? {};
  return { displayName, accent, accentDark, language, homeUrl, logoUrl: logoUrl(row?.logoDigest) ?? null };
}

/** The branding of the user's partner; undefined for dashboard users, who see the service's own look. */
export async function findBrandingForUser(ownerId: string): Promise<Branding | undefined> {
  const [found] = await db
    .select({ name: partners.name, row: partnerBranding })
    .from(users)
    .innerJoin(partners, eq(partners.id, users.partnerId))
    .leftJoin(partnerBranding, eq(partnerBranding.partnerId, partners.id))
    .where(eq(users.id, ownerId));
  return found && brandingFrom(found.name, settingsOf(found.row ?? undefined));
}

/** The branding that these settings produce, whether they are stored or only a draft. */
export function brandingFrom(partnerName: string, settings: Partial<BrandingSettings>): Branding {
  const { displayName, accent, accentDark, language, homeUrl, logoUrl: logo } = settings;
  return {
    name: displayName || partnerName,
    ...(accent ? { accent: accentOf(accent, accentDark) } : {}),
    ...(language ? { language } : {}),
    ...(homeUrl ? { homeUrl } : {}),
    ...(logo ? { logoUrl: logo } : {}),
  };
}

async function assertPartner(partnerId: string): Promise<void> {
  const [row] = await db.select({ id: partners.id }).from(partners).where(eq(partners.id, partnerId));
  if (!row) throw new NotFound("Partner", partnerId);
}

function logoUrl(digest: string | null | undefined): string | undefined {
  return digest ? `/oauth/logo/${digest}` : undefined;
}

/** The logo with this SHA-256 digest, as a PNG. */
export async function findLogo(digest: string): Promise<Buffer | undefined> {
  const [row] = await db
    .select({ logo: partnerBranding.logo })
    .from(partnerBranding)
    .where(eq(partnerBranding.logoDigest, digest))
    .limit(1);
  return row?.logo ?? undefined;
}

/** The background colours of a connect page (the card and the page around it), as in components/plain/page.ts. */
export const surfaces = {
  light: { surface: "#ffffff", paper: "#fffefb" },
  dark: { surface: "#192624", paper: "#121c1a" },
} as const;

/** WCAG 2.2, 1.4.3 (AA), for text of ordinary size. */
const MIN_CONTRAST = 4.5;

/** The accent of the connect pages of a partner that has set none, as in components/plain/page.ts. */
export const ownAccent = { light: "#0b5f57", dark: "#62cdbb" } as const;

/** The accent that the connect pages show in each theme. */
export function shownAccent({ accent }: Branding): { [theme in "light" | "dark"]: string } {
  return accent ? { light: accent.light.accent, dark: accent.dark.accent } : ownAccent;
}

/** A partner's accent colour for buttons and links, and the colour of the text on such a button. */
type Accent = { light: { accent: string; onAccent: string }; dark: { accent: string; onAccent: string } };

function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** The contrast ratio of two colours (`#rrggbb`), from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** Whether links and the focus outline in this colour have enough contrast on pages of this theme. */
export function isReadable(accent: string, theme: keyof typeof surfaces): boolean {
  return Object.values(surfaces[theme]).every((surface) => contrast(accent, surface) >= MIN_CONTRAST);
}

/** The colour itself if it is readable, otherwise the nearest readable one: darker on light pages, lighter on dark pages. */
export function nearestReadable(accent: string, theme: keyof typeof surfaces): string {
  const towards = theme === "light" ? 0 : 255;
  for (let part = 0; part < 100; part++) {
    const mixed = channels(accent).map((channel) => Math.round(channel + ((towards - channel) * part) / 100));
    const colour = `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
    if (isReadable(colour, theme)) return colour;
  }
  return theme === "light" ? "#000000" : "#ffffff";
}

/** Black or white, whichever has more contrast: one of them always reaches 4.5. */
export function textColourOn(accent: string): string {
  return contrast(accent, "#ffffff") >= contrast(accent, "#000000") ? "#ffffff" : "#000000";
}

/** The accent for both themes. Without a dark accent, the light one is adjusted until it is readable on dark pages. */
export function accentOf(light: string, dark?: string | null): Accent {
  const onDark = dark ?? nearestReadable(light, "dark");
  return {
    light: { accent: light, onAccent: textColourOn(light) },
    dark: { accent: onDark, onAccent: textColourOn(onDark) },
  };
}
