import type { Call, Operation } from "../core/network";
import { avatarPath } from "../core/users";
import { fieldsOf, paginate, pick, placesNamed } from "../meta/graph";
import { presentContainer } from "./containers";
import { assertOwnProfile, errors, isOwnProfile, sessionOf, type ThreadsSession } from "./request";
import { type Media, type ThreadsState, userId } from "./state";

/** `GET /{id}`: the profile, a container or a published media object. */
export async function node(state: ThreadsState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, call.req.query());
  const id = call.req.param("id") ?? "";
  if (isOwnProfile(id, session)) return presentProfile(state, call, session);
  const container = state.containers.get(id);
  if (container?.account === session.account) return presentContainer(state, call, container);
  const media = state.media.get(id);
  if (media) return mediaNode(state, call, media);
  throw errors.noObject(id, "get");
}

/** Reads of containers and media count as `status`, of profiles as `profile`. */
export function nodeOperation(state: ThreadsState, call: Call): Operation {
  const id = call.req.param("id") ?? "";
  return state.containers.get(id) || state.media.get(id) ? "status" : "profile";
}

function presentProfile(state: ThreadsState, call: Call, session: ThreadsSession): Response {
  const person = state.world.users.findOrCreate("threads", session.account);
  const user = {
    id: userId(person.name),
    username: person.name,
    name: person.displayName,
    is_verified: false,
    threads_profile_picture_url: new URL(avatarPath("threads", person.name, ""), call.req.url).href,
    threads_biography: "",
  };
  return call.json(pick(user, fieldsOf(call, ["id"]), "ThreadsUser"));
}

function presentMedia(call: Call, media: Media, permalink: string | undefined): Record<string, unknown> {
  const node = {
    id: media.id,
    media_product_type: "THREADS",
    media_type: media.mediaType,
    text: media.text || undefined,
    permalink,
    shortcode: media.shortcode,
    // The Graph API writes the UTC offset without a colon.
    timestamp: new Date(media.createdAt).toISOString().replace(/\.\d+Z$/, "+0000"),
    username: media.account,
    topic_tag: media.topic,
    is_reply: media.replyTo !== undefined,
    replied_to: media.replyTo && { id: media.replyTo },
    root_post: media.root && { id: media.root },
  };
  return pick(node, fieldsOf(call, ["id"]), "ThreadsMedia");
}

/** `GET /{media}`: the first response has no permalink, as can happen at Threads. */
function mediaNode(state: ThreadsState, call: Call, media: Media): Response {
  state.media.put(media.id, { ...media, reads: media.reads + 1 });
  return call.json(presentMedia(call, media, media.reads === 0 ? undefined : media.permalink));
}

/** `GET /{profile}/threads` lists posts, `/replies` lists replies; both newest first. */
export function listMedia(state: ThreadsState, call: Call, which: "threads" | "replies"): Response {
  const query = call.req.query();
  const session = sessionOf(state, call, query);
  assertOwnProfile(call, session, "get");
  const newest = state
    .mediaOf(session.account)
    .filter(({ replyTo }) => (replyTo !== undefined) === (which === "replies"))
    .reverse();
  const present = (media: Media) => presentMedia(call, media, media.permalink);
  return paginate(call, newest, present, { hidden: state.switches.hiddenPerPage });
}

/** `GET /location_search`. Source: Threads, location search and location tagging. */
export function searchLocations(state: ThreadsState, call: Call): Response {
  const query = call.req.query();
  sessionOf(state, call, query, "threads_location_tagging");
  const { locationsBy, locationsApproved } = state.switches;
  const text = query[locationsBy];
  if (!text) throw errors.parameter(`At least one of ${locationsBy}, latitude and longitude is required.`);
  const fields = fieldsOf(call, ["id"]);
  const found = placesNamed(locationsApproved ? text : "Menlo Park").map(({ id, name, location }) => {
    const { street: address, city, country, latitude, longitude, zip: postal_code } = location ?? {};
    // The example in the documentation has a number.
    return pick({ id: Number(id), name, address, city, country, latitude, longitude, postal_code }, fields, "Location");
  });
  return call.json({ data: found });
}
