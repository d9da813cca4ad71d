import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { db, partnerBranding, partners, users } from "../db";
import { BadRequest, NotFound } from "../errors";
import { redrawn, UnusableFile } from "../media";
import { type Accent, accentOf, isColour, isReadable, readable } from "./colours";
import { isLanguage, type Language, languages } from "./languages";
import { redirectUriProblem } from "./redirect-uri";

/** In which a logo is kept: three times as many pixels as the box it is shown in. */
const LOGO_BOX = { width: 720, height: 144 };
const LOGO_BYTES = 1_048_576;

/** How a partner's users see the connect pages. */
export type Branding = {
  /** As its users know the partner. */
  name: string;
  accent?: Accent;
  language?: Language;
  /** Where "Back to …" leads. */
  homeUrl?: string;
  /** A path on app_url. */
  logoUrl?: string;
};

/** What can be set: absent leaves it as it is, null takes it away. The logo is a file's bytes, of any image type. */
export type BrandingChange = {
  displayName?: string | null;
  accent?: string | null;
  accentDark?: string | null;
  language?: Language | null;
  homeUrl?: string | null;
  logo?: Uint8Array | null;
};

/** What was set, as a form shows it again. */
export type BrandingSettings = {
  displayName: string | null;
  accent: string | null;
  accentDark: string | null;
  language: Language | null;
  homeUrl: string | null;
  logoUrl: string | null;
};

type Row = typeof partnerBranding.$inferSelect;

/**
 * What is wrong with a change, each as a sentence that begins with the field; for a colour that cannot be read with the
 * nearest that can.
 */
export function brandingProblems(change: Omit<BrandingChange, "logo">): string[] {
  const { displayName, accent, accentDark, language, homeUrl } = change;
  const home = homeUrl ? redirectUriProblem(homeUrl) : undefined;
  return [
    displayName !== undefined && displayName !== null && nameProblem(displayName),
    accent && colourProblem("accent", accent, "light"),
    accentDark && colourProblem("accentDark", accentDark, "dark"),
    language && !isLanguage(language) && `language must be one of ${languages.join(", ")}`,
    home && `homeUrl ${home}`,
  ].filter((problem): problem is string => typeof problem === "string" && problem !== "");
}

function nameProblem(name: string): string | undefined {
  const isText = z.string().trim().min(1).max(60).safeParse(name).success;
  if (!isText) return "displayName must have 1 to 60 characters";
  return /\p{Cc}|\p{Co}|\p{Cs}|[\u202a-\u202e\u2066-\u2069]/u.test(name)
    ? "displayName holds a character that is not text"
    : undefined;
}

function colourProblem(field: string, colour: string, theme: "light" | "dark"): string | undefined {
  if (!isColour(colour)) return `${field} must be a colour such as #0b655c`;
  if (isReadable(colour, theme)) return undefined;
  return `${field} cannot be read on a ${theme} page (WCAG 2.2 asks for a contrast of 4.5); the nearest that can is ${readable(colour, theme)}`;
}

/**
 * Changes how a partner's users see the connect pages.
 * @throws BadRequest with every problem; NotFound where there is no such partner
 */
export async function saveBranding(partnerId: string, change: BrandingChange): Promise<BrandingSettings> {
  const { logo, ...rest } = change;
  const problems = brandingProblems(rest);
  if (logo && logo.length > LOGO_BYTES) problems.push("logo must have at most 1 MB");
  if (problems.length > 0) throw new BadRequest(...problems);
  if (!(await partnerName(partnerId))) throw new NotFound("Partner", partnerId);
  const drawn = logo ? await draw(logo) : logo; // null takes it away, undefined leaves it
  const values = {
    ...rest,
    ...(rest.displayName ? { displayName: rest.displayName.trim() } : {}),
    ...(drawn === undefined
      ? {}
      : { logo: drawn, logoDigest: drawn && createHash("sha256").update(drawn).digest("hex") }),
  };
  const [row] = await db
    .insert(partnerBranding)
    .values({ partnerId, ...values })
    .onConflictDoUpdate({ target: partnerBranding.partnerId, set: { ...values, updatedAt: sql`now()` } })
    .returning();
  return settingsOf(row);
}

async function draw(logo: Uint8Array): Promise<Buffer> {
  try {
    return await redrawn(logo, LOGO_BOX);
  } catch (error) {
    if (error instanceof UnusableFile) throw new BadRequest(error.message.replace(/^file/, "logo"));
    throw error;
  }
}

/** What was set for a partner; null wherever nothing was. */
export async function brandingSettings(partnerId: string): Promise<BrandingSettings> {
  const [row] = await db.select().from(partnerBranding).where(eq(partnerBranding.partnerId, partnerId));
  return settingsOf(row);
}

function settingsOf(row: Row | undefined): BrandingSettings {
  const { displayName = null, accent = null, accentDark = null, language = null, homeUrl = null } = row ?? {};
  return { displayName, accent, accentDark, language, homeUrl, logoUrl: logoUrl(row?.logoDigest) ?? null };
}

/** How the pages of this user's partner look; undefined for people of the dashboard, who see the service's own. */
export async function brandingOfOwner(ownerId: string): Promise<Branding | undefined> {
  const [found] = await db
    .select({ name: partners.name, row: partnerBranding })
    .from(users)
    .innerJoin(partners, eq(partners.id, users.partnerId))
    .leftJoin(partnerBranding, eq(partnerBranding.partnerId, partners.id))
    .where(eq(users.id, ownerId));
  return found && brandingFrom(found.name, settingsOf(found.row ?? undefined));
}

/** The look that settings give, stored or only tried out. */
export function brandingFrom(partnersName: string, settings: Partial<BrandingSettings>): Branding {
  const { displayName, accent, accentDark, language, homeUrl, logoUrl: logo } = settings;
  return {
    name: displayName || partnersName,
    ...(accent ? { accent: accentOf(accent, accentDark) } : {}),
    ...(language ? { language } : {}),
    ...(homeUrl ? { homeUrl } : {}),
    ...(logo ? { logoUrl: logo } : {}),
  };
}

async function partnerName(partnerId: string): Promise<string | undefined> {
  const [row] = await db.select({ name: partners.name }).from(partners).where(eq(partners.id, partnerId));
  return row?.name;
}

function logoUrl(digest: string | null | undefined): string | undefined {
  return digest ? `/oauth/logo/${digest}` : undefined;
}

/** A logo by its digest, as a PNG. */
export async function logoOf(digest: string): Promise<Buffer | undefined> {
  const [row] = await db
    .select({ logo: partnerBranding.logo })
    .from(partnerBranding)
    .where(eq(partnerBranding.logoDigest, digest))
    .limit(1);
  return row?.logo ?? undefined;
}
