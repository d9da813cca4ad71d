import { randomBytes } from "node:crypto";
import { connectWithoutBrowser } from "../connect";
import type { Platform } from "../platforms";

/** Returns a name that no other test uses: an account can be connected only once, and all tests share the sandbox. */
export function newPerson(): string {
  return `p${randomBytes(6).toString("hex")}`;
}

/** Connects the account of a new sandbox person. */
export async function connect(ownerId: string, platform: Platform): Promise<{ id: number; person: string }> {
  const person = newPerson();
  return { id: await connectWithoutBrowser(ownerId, platform, person), person };
}
