import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";

/** The JSON of `PublicKeyCredential.toJSON()` (Web Authentication Level 3, section 5.1), as a form field sends it. */

const MAX_LENGTH = 20_000;

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);
const transports = z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]);
const Credential = {
  id: base64url.max(1400),
  rawId: base64url.max(1400),
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["cross-platform", "platform"]).optional().catch(undefined),
  /** No extension is asked for. */
  clientExtensionResults: z.unknown().transform(() => ({})),
};

const Registration = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    /** A transport that we do not know is left out: the list is only a hint for later. */
    transports: z
      .array(z.string().max(40))
      .max(20)
      .optional()
      .transform((given) => given?.flatMap((one) => transports.safeParse(one).data ?? [])),
  }),
});

const Assertion = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish().transform((handle) => handle ?? undefined),
  }),
});

export function registrationIn(text: string): RegistrationResponseJSON | undefined {
  return Registration.safeParse(jsonIn(text)).data;
}

export function assertionIn(text: string): AuthenticationResponseJSON | undefined {
  return Assertion.safeParse(jsonIn(text)).data;
}

function jsonIn(text: string): unknown {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
