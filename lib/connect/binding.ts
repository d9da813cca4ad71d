import type { Network } from "../networks";
import { challengeOf, randomToken } from "../secrets";
import { ConnectError } from "./failure";

/**
 * Ties a callback to the browser that opened the link, also on networks without PKCE (ADR 38). The browser's cookie holds a
 * random verifier, the nonce. If the network has no PKCE, the state that it returns is the nonce's SHA-256, so a callback
 * proves by itself to which cookie it belongs.
 */

export type Binding = {
  /** The `state` of the request to the network, or the code of a bot's start link. */
  state: string;
  /** For the browser's cookie; absent for bots, which no browser returns to. */
  nonce?: string;
  /** The state is the nonce's hash. */
  isNonceHash?: true;
};

export function newBinding({ connect }: Network): Binding {
  if (connect.kind === "bot") return { state: randomToken() };
  const nonce = randomToken();
  return connect.hasPkce ? { state: randomToken(), nonce } : { state: challengeOf(nonce), nonce, isNonceHash: true };
}

/** @throws ConnectError if the state is the hash of a nonce that this browser does not have */
export function assertBound({ state, isNonceHash }: Binding, nonces: string[]): void {
  if (!isNonceHash || nonces.some((nonce) => challengeOf(nonce) === state)) return;
  throw new ConnectError("wrong browser", "The state does not belong to this browser's cookie");
}
