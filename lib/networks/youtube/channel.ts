import { PlatformError } from "../errors";
import type { AccountOptions, OutgoingMedia, Run, Session } from "../network";
import { type Channel, myChannel } from "./api";

/** Longer videos require a channel whose owner is verified. */
const UNVERIFIED_SECONDS = 15 * 60;
export const LONGEST_SECONDS = 12 * 3600;

const longest = ({ status }: Channel) =>
  status?.longUploadsStatus === "allowed" ? LONGEST_SECONDS : UNVERIFIED_SECONDS;

export async function accountOptions(session: Session): Promise<AccountOptions> {
  const channel = await myChannel(session);
  return { displayName: channel.snippet.title, settings: {}, video: { maxSeconds: longest(channel) } };
}

/**
 * Checks the duration first, because YouTube accepts a video that is too long for its channel and rejects it afterwards.
 * @throws PlatformError `rejected`
 */
export async function assertFits(run: Run, video: OutgoingMedia): Promise<void> {
  if ((video.durationSeconds ?? 0) <= UNVERIFIED_SECONDS) return;
  const most = await run.step("channel", async () => longest(await myChannel(run)));
  if ((video.durationSeconds ?? 0) <= most) return;
  const says = `This channel may upload at most ${most / 60} minutes until its owner is verified at youtube.com/verify`;
  throw new PlatformError("rejected", says);
}
