import { PlatformError } from "../errors";
import type { App, Network, OAuthConnect, Session } from "../network";
import { makeSession } from "../wire/fetch";
import { connectBy } from "./consent";

/** Connects a sandbox person by the consent form, up to a session of that account. */
export async function connectedTo<S>(network: Network<S>, app: App, person: string): Promise<Session> {
  const plain = network as Network; // its settings play no part in connecting
  const tokens = await connectBy(app, network.connect as OAuthConnect, person); // with a consent page: not the bot's
  const anonymous = makeSession(plain, app, { accountId: "me", username: "", tokens });
  return makeSession(plain, app, { ...(await network.profile(anonymous)), tokens });
}

/** The refusal that a call ends with; anything else fails the test. */
export function failureOf(work: Promise<unknown>): Promise<PlatformError> {
  return work.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => (error instanceof PlatformError ? error : Promise.reject(error)),
  );
}
