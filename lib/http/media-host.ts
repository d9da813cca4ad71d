import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "../env";
import { pathOf } from "./gateway";
import { requestedHost } from "./page-request";
import { refuse } from "./request-target";

type Addresses = { mediaUrl: string; baseUrl: string; authUrl: string; appUrl: string };

/** An address that serves a stored file, in the only spelling that we hand out. */
const MEDIA_PATH = /^\/media\/[\w-]+(?:\/thumbnail)?(?:\?[\x21-\x7e]*)?$/;
/** Any address of a file, as a router reads it: with encoded letters, for example. Uploads go to the host of our pages. */
const ANY_MEDIA_PATH = /^\/media\/(?!uploads(?:\/|$))/;

/** Returns the address of users' files, if its host serves nothing else. */
export function separateMediaUrl({ mediaUrl, ...others }: Addresses): URL | undefined {
  const url = new URL(mediaUrl);
  const isShared = [others.baseUrl, others.authUrl, others.appUrl].some((other) => new URL(other).host === url.host);
  return isShared ? undefined : url;
}

const configured = separateMediaUrl(env);

/**
 * Keeps users' files and our pages on separate hosts, if `MEDIA_URL` is a host of its own: that host serves nothing else, and
 * a file requested from another host is redirected there. So a file can never act as the dashboard's origin.
 * @returns true if the request has been answered
 */
export function isOnWrongHost(request: IncomingMessage, response: ServerResponse, media = configured): boolean {
  if (!media) return false;
  const { url = "/", method } = request;
  const isMedia = MEDIA_PATH.test(url) && (method === "GET" || method === "HEAD");
  const isThere = requestedHost(request) === media.host;
  if (isMedia && !isThere) {
    request.resume(); // discards a body, so that the client can read the response
    response.setHeader("location", `${media.origin}${url}`);
    response.setHeader("cache-control", "no-store");
    response.writeHead(308).end();
  } else if (isThere && !isMedia) {
    refuse(request, response, { status: 404, error: "This host serves only media" });
  } else if (!isThere && ANY_MEDIA_PATH.test(pathOf(url.split("?", 1)[0] ?? "/"))) {
    refuse(request, response, { status: 404, error: "This host serves no media" });
  } else return false;
  return true;
}
