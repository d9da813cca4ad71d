import { forgetPerson } from "../accounts";
import { env } from "../env";
import { NotFound, TooLarge } from "../errors";
import { readText } from "../http/form";
import { appOf, type CallbackRequest, isOffered, type Network, networkOf } from "../networks";
import { type Platform, platforms, platformValues } from "../platforms";
import { takeNotices } from "../schedules";

const MAX_BYTES = 65_536;

/**
 * What a network tells us unasked, at the address that is named after it. Networks tell again until they are answered 200, so
 * what is known already is answered like what is new.
 * @throws NotFound where the network tells nothing; PlatformError `rejected` where it is not the network
 */
export async function answerCallback(name: string, request: Request): Promise<Response> {
  const network = networkNamed(name);
  if (!network?.notifications) throw new NotFound("Network", name);
  await takeNotices(network, network.notifications(appOf(network), await callbackOf(request)));
  return Response.json({});
}

/**
 * Removes what we hold of a person, and answers where and under which code they can see that it is done, in the form that Meta
 * documents (…/app-dashboard/data-deletion-callback).
 * @throws NotFound where the network asks for none; PlatformError `rejected` where it is not the network
 */
export async function answerDeletion(name: string, request: Request): Promise<Response> {
  const network = networkNamed(name);
  if (!network?.deletionRequest) throw new NotFound("Network", name);
  const code = await forgetPerson(network, network.deletionRequest(appOf(network), await callbackOf(request)));
  return Response.json({ url: `${env.appUrl}/callbacks/deletions/${code}`, confirmation_code: code });
}

function networkNamed(name: string): Network | undefined {
  const platform = platformValues.find((one: Platform) => platforms[one] === name);
  return platform && isOffered(platform) ? networkOf(platform) : undefined;
}

async function callbackOf(request: Request): Promise<CallbackRequest> {
  const body = await readText(request, MAX_BYTES);
  if (body === undefined) throw new TooLarge("The body", "64 KB");
  return { headers: request.headers, body };
}
