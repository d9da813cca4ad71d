import { PlatformError } from "../errors";
import type { App, Network, OAuthConnect, Session } from "../network";
import { makeSession } from "../wire/fetch";
import { connectBy } from "./consent";

/** Connects a sandbox person through the consent form and returns a session of that account. */
export async function connectedTo<S>(network: Network<S>, app: App, person: string): Promise<Session> {
  const plain = network as Network; // settings are not used for connecting
  const tokens = await connectBy(app, network.connect as OAuthConnect, person); // only networks with a consent page
  const anonymous = makeSession(plain, app, { accountId: "me", username: "", tokens });
  return makeSession(plain, app, { ...(await network.profile(anonymous)), tokens });
}

/** Returns the error of a call that must fail; anything else fails the test. */
export function failureOf(work: Promise<unknown>): Promise<PlatformError> {
  return work.then(
    () => Promise.reject(new Error("expected a failure")),
    (error: unknown) => (error instanceof PlatformError ? error : Promise.reject(error)),
  );
}
