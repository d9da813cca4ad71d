import { env } from "../env";

/** All tests of a run share one sandbox, so they never reset it, and a fault should name the person whose calls it applies to. */
const controlUrl = (path: string) => `${env.sandbox?.url}/_control/${path}`;

export type Held = {
  id: string;
  account: string;
  text: string;
  media: { type: string; sizeBytes: number; sha256: string }[];
  chatId?: string;
  replyTo?: string;
  settings: { [name: string]: unknown };
  permalink: string;
  receivedTime: string;
};
export type Called = {
  time: string;
  operation: string;
  method: string;
  path: string;
  status: number;
  account?: string;
};

/** Returns a person's posts on the network, in order of arrival. */
export async function postsOn(network: string, person: string): Promise<Held[]> {
  return (await fetch(controlUrl(`posts?network=${network}&account=${encodeURIComponent(person)}`))).json();
}

/** Returns the calls that the network attributed to a person; without a person, those that it could not attribute. */
export async function callsOn(network: string, person: string | undefined, operation?: string): Promise<Called[]> {
  const of = person === undefined ? "" : `&account=${encodeURIComponent(person)}`;
  const all: Called[] = await (await fetch(controlUrl(`calls?network=${network}${of}`))).json();
  return all.filter((call) => call.account === person && (operation === undefined || call.operation === operation));
}

type Fault = {
  network: string;
  operation: string;
  fault: string;
  /** Applies only to calls with this person's token. Calls before a token exists, such as redeeming a code, have none. */
  account?: string;
  times?: number;
  afterSeconds?: number;
  reason?: string;
  every?: number;
};

export async function fault(wanted: Fault): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(controlUrl("faults"), { method: "POST", headers, body: JSON.stringify(wanted) });
  if (!answer.ok) throw new Error(`_control/faults: ${answer.status} ${await answer.text()}`);
}

/** Sets the switches of a simulated network. Those that are not given get their defaults. */
export async function setSwitches(network: string, switches: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(controlUrl(`${network}/switches`), {
    method: "POST",
    headers,
    body: JSON.stringify(switches),
  });
  if (answer.status !== 204) throw new Error(`_control/${network}/switches: ${answer.status} ${await answer.text()}`);
}

/** Does on a simulated network what people do there, such as creating a page: `POST /_control/<path>`. */
export async function control(path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(controlUrl(path), { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`_control/${path}: ${answer.status} ${await answer.text()}`);
}
