import { describe, expect, test } from "vitest";
import { GET } from "@/app/.well-known/security.txt/route";
import { env, readEnv } from "../env";
import { withSettings } from "../testing/settings";

test("without SECURITY_CONTACT, security.txt names the mailbox for reports at the domain of our mails (RFC 2142)", async () => {
  expect(await GET().text()).toMatch(/^Contact: mailto:security@localhost\n/);
  for (const sender of ["post@example.com", "Carillon <post@example.com>"]) {
    expect(readEnv({ MAIL_FROM: sender }).securityContacts).toEqual(["mailto:security@example.com"]);
  }
});

describe("with SECURITY_CONTACT", () => {
  withSettings({
    securityContacts: readEnv({ SECURITY_CONTACT: "security@example.com, https://example.com/report" })
      .securityContacts,
  });

  test("lists the contacts, and expires within a year (RFC 9116, section 2.5)", async () => {
    const answer = GET();
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const lines = (await answer.text()).trimEnd().split("\n");
    expect(lines).toEqual([
      "Contact: mailto:security@example.com",
      "Contact: https://example.com/report",
      expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT00:00:00.000Z$/),
      "Preferred-Languages: en",
      `Canonical: ${env.appUrl}/.well-known/security.txt`,
    ]);
    const days = (Date.parse(lines[2]?.slice("Expires: ".length) ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
  });
});

test.each(["security", "http://example.com", "a b@example.com", "security@example.com,", "javascript:alert(1)"])(
  "SECURITY_CONTACT=%s stops the startup",
  (value) => {
    expect(() => readEnv({ SECURITY_CONTACT: value })).toThrow("SECURITY_CONTACT");
  },
);
