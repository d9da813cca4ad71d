import { NotFound, TooLarge } from "../errors";
import { readText } from "../http/form";
import { appOf, isOffered, networkOf } from "../networks";
import { type Platform, platforms, platformValues } from "../platforms";
import { takeNotices } from "../schedules";

const MAX_BYTES = 65_536;

/**
 * What a network tells us unasked, at the address that is named after it. Networks tell again until they are answered 200, so
 * what is known already is answered like what is new.
 * @throws NotFound where the network tells nothing; PlatformError `rejected` where it is not the network
 */
export async function answerCallback(name: string, request: Request): Promise<Response> {
  const platform = platformValues.find((one: Platform) => platforms[one] === name);
  const network = platform && isOffered(platform) ? networkOf(platform) : undefined;
  if (!network?.notifications) throw new NotFound("Network", name);
  const body = await readText(request, MAX_BYTES);
  if (body === undefined) throw new TooLarge("The body", "64 KB");
  await takeNotices(network, network.notifications(appOf(network), { headers: request.headers, body }));
  return Response.json({});
}
