import { randomBytes } from "node:crypto";
import { connectWithoutBrowser } from "../connect";
import type { Platform } from "../platforms";

/** A name that no other test uses: an account connects only once, and the sandbox is everybody's. */
export function newPerson(): string {
  return `p${randomBytes(6).toString("hex")}`;
}

/** Connects a new sandbox person's account. */
export async function connect(ownerId: string, platform: Platform): Promise<{ id: number; person: string }> {
  const person = newPerson();
  return { id: await connectWithoutBrowser(ownerId, platform, person), person };
}
