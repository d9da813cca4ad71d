import { baseOf, Carillon, CHECK_BASE, type ConnectionOptions, errorOf, parsed, sendingOf } from "./client";
import { CarillonError } from "./problems";
import { send } from "./send";

export type PartnerOptions = ConnectionOptions & { clientId: string; clientSecret: string };

/** A partner's user: by the `uuid` that Carillon gave, or by the name that the partner uses. */
export type PartnerUser = { uuid: string } | { externalUserId: string };

const CALL = "POST /oauth/token";
/** A token is renewed this long before it ends. */
const RENEWED_BEFORE_MS = 60_000;

/**
 * Calls the API in the name of a partner, such as `/v1/connect/users`, and for its users with `for`. It fetches one token with the
 * partner's credentials, renews it before it ends, and uses it for all users. It belongs on a server, because it holds a secret.
 */
export class CarillonPartner extends Carillon {
  readonly #options: ConnectionOptions & { token: (refused?: string) => Promise<string> };
  readonly #clientId: string;

  constructor({ clientId, clientSecret, ...connection }: PartnerOptions) {
    if (!clientId || !clientSecret)
      throw new CarillonError("clientId or clientSecret is missing. The operator creates both with `partners create`");
    const options = { ...connection, token: tokensOf({ clientId, clientSecret, ...connection }) };
    super(options);
    this.#options = options;
    this.#clientId = clientId;
  }

  /** Returns a client whose calls act for one user of the partner. */
  for(user: PartnerUser): Carillon {
    const [name, value] =
      "uuid" in user ? ["X-Connect-User-Id", user.uuid] : ["X-Connect-External-User-Id", user.externalUserId];
    if (!value) throw new CarillonError("uuid or externalUserId is missing. Name the user that the calls are for");
    // A header holds bytes, so names that are not Latin-1 are sent as UTF-8. Connect links need `x-api-key` too.
    const bytes = new TextEncoder().encode(value);
    return new Carillon(this.#options, { [name]: String.fromCharCode(...bytes), "x-api-key": this.#clientId });
  }
}

/** Returns a function that returns the current token. Calls at the same time share one request for it. */
function tokensOf({ clientId, clientSecret, ...connection }: PartnerOptions) {
  const url = `${baseOf(connection.baseUrl)}/oauth/token`;
  const body = new URLSearchParams({
    ...{ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret },
  }).toString();
  const headers = { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" };
  type Held = { token: string; renewTime: number };
  let held: Promise<Held> | undefined;
  async function fetchToken(): Promise<Held> {
    const answer = await send({ method: "POST", url, headers, body, isHarmless: true }, sendingOf(connection));
    if (answer.status !== 200) throw refusalOf(errorOf(CALL, answer, undefined));
    const { access_token: token, expires_in } = parsed(CALL, answer) as { access_token?: string; expires_in: number };
    if (!token) throw new CarillonError(`${CALL} was answered with 200: no access_token. ${CHECK_BASE}`);
    return { token, renewTime: Date.now() + 1_000 * expires_in - RENEWED_BEFORE_MS };
  }
  return async (refused?: string): Promise<string> => {
    const seen = held;
    const current = await seen?.catch(() => undefined);
    const isUsable = current && current.token !== refused && Date.now() < current.renewTime;
    // Another call at the same time may have asked for the next token already.
    if (!isUsable && held === seen) held = fetchToken();
    return (await (held as Promise<Held>)).token;
  };
}

function refusalOf(error: CarillonError): CarillonError {
  if (error.status !== 401) return error;
  const message = `${CALL} was answered with 401: clientId or clientSecret is wrong. Check them, or ask the operator`;
  return new CarillonError(message, { ...error, status: 401 });
}
