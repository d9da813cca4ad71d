import type { Limits, VideoLimits } from "./limits";
import type { FormatName } from "./network";

/**
 * The limits of the film that an image that moves goes out as; undefined where it goes out as it is: its network takes it moving,
 * or takes no films there. One that would be refused, or stand still, becomes a film. Pure.
 * @param limits what the network takes, by format
 * @param count of its post's media
 */
export function filmLimits(
  limits: (format: FormatName) => Limits | undefined,
  count: number,
  contentType: string,
): VideoLimits | undefined {
  const [asImage, asFilm] = count > 1 ? [limits("carousel"), limits("carousel")] : [limits("image"), limits("video")];
  if (asImage?.animation?.types.includes(contentType)) return undefined;
  return asFilm?.video?.types.includes("video/mp4") ? asFilm.video : undefined;
}
