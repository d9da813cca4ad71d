import { eq } from "drizzle-orm";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { db, partners } from "../db";
import { createPartner } from "../oauth";
import { newOwner } from "../testing";
import { brandingProblems, findBrandingForUser, findLogo, getBrandingSettings, saveBranding } from "./branding";
import { provisionConnectUser } from "./connect-users";

async function partnerWithUser(name = "Acme") {
  const { clientId } = await createPartner(name);
  const [partner] = await db.select().from(partners).where(eq(partners.clientId, clientId));
  const id = partner?.id ?? "";
  return { id, user: (await provisionConnectUser(id, { externalUserId: "one", name: "One" })).id };
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: "#0b655c" } });

test("a partner's users see its name, readable colours, language and home link", async () => {
  const { id, user } = await partnerWithUser();
  expect(await findBrandingForUser(user)).toEqual({ name: "Acme" });
  const set = { displayName: " Acme Planner ", accent: "#7a1fa2", language: "de", homeUrl: "acme://home" } as const;
  await saveBranding(id, set);
  expect(await findBrandingForUser(user)).toEqual({
    name: "Acme Planner",
    accent: {
      light: { accent: "#7a1fa2", onAccent: "#ffffff" },
      dark: { accent: expect.stringMatching(/^#[0-9a-f]{6}$/), onAccent: "#000000" },
    },
    language: "de",
    homeUrl: "acme://home",
  });
});

test("an absent setting stays, and null removes it", async () => {
  const { id, user } = await partnerWithUser();
  await saveBranding(id, { displayName: "One", accent: "#7a1fa2", accentDark: "#d9b3ff" });
  await saveBranding(id, { accent: null });
  expect(await getBrandingSettings(id)).toMatchObject({ displayName: "One", accent: null, accentDark: "#d9b3ff" });
  await saveBranding(id, { displayName: null });
  expect(await findBrandingForUser(user)).toEqual({ name: "Acme" });
});

test("dashboard users see the service's own look, and partners do not see each other's branding", async () => {
  const [one, other] = [await partnerWithUser("One"), await partnerWithUser("Other")];
  await saveBranding(one.id, { displayName: "The first" });
  expect(await findBrandingForUser(other.user)).toEqual({ name: "Other" });
  expect(await findBrandingForUser(await newOwner())).toBeUndefined();
});

describe("unreadable colours and invalid text are refused with a fix", () => {
  test.each<[field: string, value: string, problem: string]>([
    ["accent", "teal", "accent must be a colour such as #0b655c"],
    ["accent", "#fff", "accent must be a colour such as #0b655c"],
    ["accent", "#123456;}body{display:none", "accent must be a colour such as #0b655c"],
    [
      "accent",
      "#ffd400",
      "accent is not readable on a light page (WCAG 2.2 requires a contrast of 4.5); the nearest readable colour is #8a7200",
    ],
    [
      "accentDark",
      "#003366",
      "accentDark is not readable on a dark page (WCAG 2.2 requires a contrast of 4.5); the nearest readable colour is #708da9",
    ],
    ["displayName", "  ", "displayName must have 1 to 60 characters"],
    ["displayName", "a".repeat(61), "displayName must have 1 to 60 characters"],
    ["displayName", "Acme\u202e", "displayName contains a control character"],
    ["displayName", "A\0", "displayName contains a control character"],
    ["displayName", "A\ud800", "displayName contains a control character"],
    ["homeUrl", "javascript:alert(1)", "homeUrl must not use the scheme javascript"],
    ["homeUrl", "http://example.com", "homeUrl must be https (http only on a loopback host)"],
    ["language", "fr", "language must be one of en, de"],
  ])("%s %j", async (field, value, problem) => {
    const change = { [field]: value } as Parameters<typeof brandingProblems>[0]; // as a form sends it
    const { id } = await partnerWithUser();
    await expect(saveBranding(id, change)).rejects.toMatchObject({ status: 400, message: problem });
    expect(Object.values(await getBrandingSettings(id)).every((kept) => kept === null)).toBe(true);
  });

  test("all problems are reported at once, and the proposed colours are accepted", () => {
    expect(brandingProblems({ displayName: "", accent: "red" })).toHaveLength(2);
    expect(brandingProblems({ accent: "#8a7200", accentDark: "#708da9" })).toEqual([]);
  });
});

describe("a logo", () => {
  test("is re-encoded as a PNG that fits its box, without metadata", async () => {
    const { id, user } = await partnerWithUser();
    const given = await picture(2000, 400)
      .withExif({ IFD0: { Artist: "somebody" } })
      .jpeg()
      .toBuffer();
    const { logoUrl } = await saveBranding(id, { logo: given });
    expect(logoUrl).toMatch(/^\/oauth\/logo\/[0-9a-f]{64}$/);
    expect((await findBrandingForUser(user))?.logoUrl).toBe(logoUrl);
    const kept = await findLogo(logoUrl?.split("/").pop() ?? "");
    const { format, width, height, exif } = await sharp(kept).metadata();
    expect([format, width, height, exif]).toEqual(["png", 720, 144, undefined]);
    await saveBranding(id, { logo: null });
    expect((await findBrandingForUser(user))?.logoUrl).toBeUndefined();
    expect(await findLogo(logoUrl?.split("/").pop() ?? "")).toBeUndefined();
  });

  test.each<[what: string, bytes: () => Promise<Buffer> | Buffer, says: RegExp]>([
    ["a page", () => Buffer.from("<svg onload=alert(1)></svg>"), /^logo/],
    ["half a picture", async () => (await picture(300, 300).png().toBuffer()).subarray(0, 200), /^logo is corrupt/],
    ["more than 1 MB", () => Buffer.alloc(1_048_577), /^logo must be at most 1 MB$/],
  ])("that is %s is refused", async (_, bytes, says) => {
    const { id } = await partnerWithUser();
    await expect(saveBranding(id, { logo: await bytes() })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(says),
    });
  });
});
