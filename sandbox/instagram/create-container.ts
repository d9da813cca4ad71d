import { type Call, hasFault } from "../core/network";
import { parametersOf } from "../meta/parameters";
import { statusOf } from "./container";
import { readContainer } from "./container-rules";
import { refusals } from "./errors";
import { fetchImage, startProcessing } from "./media-files";
import { assertOwnAccount, sessionOf } from "./session";
import type { Container, InstagramState } from "./state";

const CONTAINERS_PER_DAY = 400;

/** `POST /{ig-id}/media`: images are fetched and judged at once, videos in the background. */
export async function createContainer(state: InstagramState, call: Call): Promise<Response> {
  const parameters = await parametersOf(call);
  const session = sessionOf(state, call, parameters, "instagram_business_content_publish");
  assertOwnAccount(call, session, "post");
  const now = state.world.clock.now();
  if (state.containersSince(session.account, now - 86_400_000) >= CONTAINERS_PER_DAY) throw refusals.quotaUsed();

  const wanted = readContainer(parameters);
  if (wanted.mediaType === "CAROUSEL") assertChildren(state, session.account, wanted.children);
  if (parameters.cover_url && wanted.isVideo) await fetchImage(parameters.cover_url, { anyRatio: true });
  const image =
    wanted.url && !wanted.isVideo
      ? await fetchImage(wanted.url, { anyRatio: wanted.mediaType === "STORIES" })
      : undefined;
  const container: Container = {
    ...wanted,
    id: state.world.ids.stamp("17"),
    account: session.account,
    polls: 0,
    file: image && state.world.blobs.keep(image, "image/jpeg"),
    flaw: hasFault(call, "processing_fails") ? "Error: Media upload has failed with error code 2207082" : undefined,
    createdAt: now,
  };
  state.keepNewContainer(container);
  if (container.isVideo) void startProcessing(state, container);
  return call.json({ id: container.id });
}

/** Two to ten finished containers of the same account, made as carousel items and not published yet. */
function assertChildren(state: InstagramState, account: string, ids: string[]): void {
  if (ids.length < 2 || ids.length > 10 || new Set(ids).size < ids.length) throw refusals.carouselCount();
  for (const id of ids) {
    const child = state.containers.get(id);
    if (child?.account !== account) throw refusals.containerUnknown();
    if (!child.isCarouselItem) throw refusals.parameter(`The media ${id} is not a carousel item.`);
    const status = statusOf(child, state.world.clock.now());
    if (status === "IN_PROGRESS" || status === "ERROR") throw refusals.notReady();
    if (status !== "FINISHED") throw refusals.containerUnknown();
  }
}
