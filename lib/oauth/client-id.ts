import { randomToken } from "../secrets";

/** A new client id: 128 random bits that a command line does not take for an option. */
export function newClientId(): string {
  const id = randomToken(16);
  return id.startsWith("-") ? newClientId() : id;
}
