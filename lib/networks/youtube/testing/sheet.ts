import type { Sheet, SheetRow } from "../../testing/sheet";

const adapter = "lib/networks/youtube/youtube.test.ts";
const upload = "lib/networks/youtube/upload.test.ts";
const errors = "lib/networks/youtube/errors.test.ts";
const limits = "lib/networks/youtube/limits.test.ts";
const engine = "lib/schedules/publish/publish-youtube.test.ts";
const quota = "lib/schedules/publish/youtube-quota.test.ts";
const consent = "sandbox/youtube/oauth.test.ts";
const bytes = "sandbox/youtube/upload.test.ts";

const shown = (row: string, file: string, test: string): SheetRow => ({ row, proof: { file, test } });
const codes = (section: string, ...rows: string[]) => rows.map((code) => shown(`${section} ${code}`, errors, code));

/** What YouTube's contract asks for, and the test that shows it. */
export const sheet: Sheet = [
  shown(
    "§1 authorize: offline, consent, PKCE",
    adapter,
    "asks for offline access and forces the consent that brings a refresh token",
  ),
  shown("§1 code for tokens", adapter, "answers both tokens, their end and the scopes granted; connecting again too"),
  shown("§1 granular consent", adapter, "tells which scopes were unticked"),
  shown("§1 refusal", adapter, "is denied with access_denied"),
  shown(
    "§1 refresh without rotation",
    adapter,
    "answers a new access token and no refresh token, so that the old one stays",
  ),
  shown(
    "§1 refresh, stored token kept",
    engine,
    "a token that is about to end is refreshed once, and its refresh token stays",
  ),
  shown("§1 revoke", adapter, "a revoked account asks to reconnect"),
  shown("§2 identity", adapter, "the account is the channel"),
  shown("§2 no channel", adapter, "a Google account without a channel is told so"),
  shown("§4.1 session with all metadata", adapter, "a video with title, description, category and privacy"),
  shown("§4.1 categories", adapter, "category %s is %s"),
  shown(
    "§4.1 bytes, 308 and Range",
    upload,
    "a large video goes up in chunks; what YouTube did not keep is sent again",
  ),
  shown("§4.1 resumed after a cut", upload, "%s in the middle: goes on where YouTube is, within the same session"),
  shown("§4.1 404: another session", upload, "before all bytes were sent (%s): another one, one video"),
  shown("§4.2 processing", adapter, "a video that YouTube does not take after all"),
  shown(
    "§4.2 processing that cannot be read",
    adapter,
    "an end of processing that cannot be read: the video is out all the same",
  ),
  shown("§4.3 thumbnail", adapter, "of a video"),
  shown("§4.3 thumbnail of a Short after processing", adapter, "of a Short waits until it has been processed"),
  shown("§4.3 a failed thumbnail does not fail the post", adapter, "that a channel may not set does not fail the post"),
  shown("§4.4 Shorts", adapter, "%s: a Short or not"),
  shown("§4.5 permalink", adapter, "a video with title, description, category and privacy"),
  shown("§0 privacy compared with what was asked", adapter, "a privacy that YouTube made another is said"),
  shown("§5 title", limits, "a title of 101"),
  shown("§5 description in bytes", limits, "5,001 bytes of hearts"),
  shown("§5 angle brackets", limits, "no angle brackets, with the fix that can be applied"),
  shown("§5 duration", limits, "12 hours and a second"),
  shown("§5 duration of unverified channels", adapter, "more than 15 minutes: refused before anything is sent"),
  shown("§5 file size", limits, "256 GB and a byte"),
  shown("§5 formats", limits, "MKV"),
  shown("§5 only video, one a post", limits, "two videos"),
  shown("§5 cover", limits, "a byte more"),
  shown("§5 project quota until midnight PT", upload, "the project's quota: waits for midnight in California"),
  shown("§5 midnight PT", errors, "midnight in California %s"),
  shown("§5 the bucket counted locally", quota, "each call at its price before it is sent, whatever becomes of it"),
  shown("§5 the bucket over all processes", quota, "uploads that begin at once never use more than there is"),
  shown("§5 uploads are queued", quota, "the day's uploads are used up: waits for the new day without an attempt"),
  shown("§5 uploads are spread", quota, "what has waited begins spread over five minutes"),
  shown("§5 an extension", quota, "an extension that was granted, and what stands in for YouTube"),
  shown("§6 quotaExceeded closes the day", quota, "YouTube's own word closes the day, whatever was counted"),
  shown("§5 channel quota", upload, "the channel's own limit"),
  ...codes("§1 token", "invalid_client", "unauthorized_client", "redirect_uri_mismatch", "invalid_request"),
  ...codes("§1 token", "unsupported_grant_type", "admin_policy_enforced", "a dead refresh token", "a used code"),
  ...codes("§6", "authError", "authorizationRequired", "youtubeSignupRequired", "insufficientPermissions", "forbidden"),
  ...codes("§6", "channelForbidden", "accountDelegationForbidden", "authenticatedUserAccountClosed"),
  ...codes("§6", "authenticatedUserAccountSuspended", "channelClosed", "channelSuspended", "quotaExceeded"),
  ...codes("§6", "dailyLimitExceeded", "rateLimitExceeded", "userRateLimitExceeded", "accessNotConfigured"),
  ...codes("§6", "uploadLimitExceeded", "invalidTitle", "invalidDescription", "invalidTags", "invalidCategoryId"),
  ...codes("§6", "invalidPublishAt", "invalidVideoMetadata", "invalidRecordingDetails", "invalidVideoGameRating"),
  ...codes("§6", "defaultLanguageNotSet", "invalidFilename", "mediaBodyRequired", "forbiddenPrivacySetting"),
  ...codes("§6", "forbiddenLicenseSetting", "videoNotFound", "invalidImage", "uploadRateLimitExceeded"),
  ...codes("§6", "uploadTooLarge", "backendError"),
  ...codes("§4.2 failureReason", "codec", "conversion", "emptyFile", "invalidFile", "tooSmall", "uploadAborted"),
  ...codes("§4.2 rejectionReason", "claim", "copyright", "duplicate", "inappropriate", "legal", "length", "termsOfUse"),
  ...codes("§4.2 rejectionReason", "trademark", "uploaderAccountClosed", "uploaderAccountSuspended"),
  shown("§7 the final answer is lost", upload, "%s on the last bytes: one video"),
  shown("§7 the session's answer is lost", upload, "%s when the session is opened: another one, one video"),
  shown(
    "§7 404 after all bytes: read back",
    upload,
    "after all bytes were sent: looked up among the channel's uploads",
  ),
  shown("§7 no unique match", upload, "and no such upload, or several: nobody can tell"),
  shown("§8.1 refresh tokens", consent, "a refresh token: %s"),
  shown("§8.1 no rotation", consent, "one hour, and no rotation"),
  shown("§8.2 partial consent", consent, "uploading alone reads nothing, and a dead token is 401 with its header"),
  shown("§8.3 metadata at session start", bytes, "%s is refused before any byte"),
  shown("§8.4 Location and no body", bytes, "is opened with 200, an address and no body"),
  shown(
    "§8.5 Range, fewer bytes, 256 KiB",
    bytes,
    "nothing stored has no Range; then less is stored than was sent; 256 KiB at a time",
  ),
  shown("§8.5 404 after expiry", bytes, "ends after a week"),
  shown(
    "§8.6 one session, one video",
    bytes,
    "the id appears when all is there; the session answers the same video ever after",
  ),
  shown("§8.7 uploaded, processed", bytes, "takes a while"),
  shown("§8.7 failed, rejected", bytes, "ends as failed for what is no video, as rejected for what is too long"),
  shown("§8.8 insert bucket", bytes, "100 uploads a Pacific day, then quotaExceeded; whole again after midnight"),
  shown("§8.8 units", bytes, "units for everything else: 1 to read, 50 for a cover"),
  shown("§8.8 channel", bytes, "a channel's own"),
  shown(
    "§8.9 thumbnails",
    bytes,
    "an unknown video, another's, no image, an animation, too large, a channel that may not",
  ),
  shown("§8.9 Short still processing", bytes, "of a Short that is still being processed: 200, and nothing changes"),
  shown(
    "§8.10 default privacy",
    bytes,
    "privacy is public where nothing is said, and ignored where its part is not named",
  ),
  shown(
    "§8.10 account without a channel",
    consent,
    "a Google account without one: no items, and nothing can be uploaded",
  ),
  shown("§8.10 invalid_grant after revoke", consent, "revoking either token ends both; an unknown one is refused"),
];
