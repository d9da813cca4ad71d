import type { Sheet, SheetRow } from "../../testing/sheet";

const adapter = "lib/networks/tiktok/tiktok.test.ts";
const upload = "lib/networks/tiktok/upload.test.ts";
const photos = "lib/networks/tiktok/photos.test.ts";
const errors = "lib/networks/tiktok/errors.test.ts";
const limits = "lib/networks/tiktok/limits.test.ts";
const notices = "lib/networks/tiktok/notifications.test.ts";
const engine = "lib/schedules/publish/publish-tiktok.test.ts";
const consent = "sandbox/tiktok/oauth.test.ts";
const posts = "sandbox/tiktok/publish.test.ts";
const webhook = "sandbox/tiktok/webhook.test.ts";

const shown = (row: string, file: string, test: string): SheetRow => ({ row, proof: { file, test } });
const codes = (section: string, ...rows: string[]) => rows.map((code) => shown(`${section} ${code}`, errors, code));

/** What TikTok's contract asks for, and the test that shows it. */
export const sheet: Sheet = [
  shown(
    "§1 authorize: client_key, commas, no PKCE",
    adapter,
    "asks for scopes with commas between, shows the page, and knows no PKCE",
  ),
  shown("§1 code for tokens", adapter, "answers both tokens, their end and the scopes granted"),
  shown("§1 granted scopes", adapter, "tells which scopes were switched off"),
  shown("§1 refusal", adapter, "is denied with access_denied"),
  shown(
    "§1 refresh rotates; errors with HTTP 200",
    adapter,
    "answers a new pair; the spent token asks to reconnect, though TikTok says so with 200",
  ),
  shown(
    "§1 refresh ahead of time, once",
    engine,
    "a token that is about to end is refreshed once, and the new one is kept",
  ),
  shown(
    "§1 an error with 200, to a revocation too",
    adapter,
    "a disconnection that TikTok refuses with 200 is a refusal",
  ),
  shown("§1 revoke", adapter, "an account that was disconnected asks to reconnect"),
  shown("§1 authorization.removed", engine, "a permission that is taken away: the account asks for its person at once"),
  shown("§1 authorization.removed, reasons 0 to 5", notices, "reason %i"),
  shown("§2 identity", adapter, "reads whose account it is"),
  shown("§4.1 creator info, for whoever composes", adapter, "is read live"),
  shown("§4.1 creator info, held against the post", adapter, "%s is rejected before anything is begun"),
  shown("§4.1 caps with HTTP 200", adapter, "a cap, which TikTok tells with 200, stops the post"),
  shown("§4.2 video with all settings", adapter, "a video, with all its settings"),
  shown("§4.3 chunks", upload, "go out in order, the last one longer, and the file arrives whole"),
  shown("§4.3 chunk arithmetic", upload, "a file of %i bytes"),
  shown("§4.3 resumed after a cut", upload, "%s in the middle: goes on where TikTok is, within the same upload"),
  shown("§4.3 416", upload, "a chunk that did arrive is not sent twice: 416 tells, and TikTok's progress decides"),
  shown(
    "§4.3 403 after an hour",
    upload,
    "an upload address that has ended, in the middle and at the end: begun anew, one post",
  ),
  shown("§4.5 one photo", adapter, "one photo, with title, description and music"),
  shown("§4.5 carousel", adapter, "ten photos, in order"),
  shown("§4.7 status, id after moderation", adapter, "an id that does not come in time: published without one"),
  shown("§4.7 SELF_ONLY has no id", adapter, "what only its creator sees goes by its publish_id and has no address"),
  shown(
    "§4.7 webhook publicly_available",
    engine,
    "a post's id, after it was published without one; again, it changes nothing",
  ),
  shown("§4.7 signature", notices, "%s: refused"),
  shown("§4.8 permalink by share_url", adapter, "a video, with all its settings"),
  shown(
    "§4.8 permalink without video.list",
    adapter,
    "without the right to read posts, the address is the one that all have",
  ),
  shown("§5 caption 2,200 in UTF-16 units", limits, "2,201 together"),
  shown("§5 photo title and description", limits, "title and description are counted in UTF-16 units"),
  shown("§5 container", limits, "MKV"),
  shown("§5 frame rate", limits, "22 frames a second"),
  shown("§5 dimensions", limits, "359 pixels"),
  shown("§5 size", limits, "4 GB and a byte"),
  shown("§5 duration", limits, "601 seconds"),
  shown(
    "§5 creator's own duration",
    adapter,
    "a video as long as the creator's may be, and duets on photos, are no breach",
  ),
  shown("§5 photos up to ten", limits, "eleven"),
  shown("§5 photo size", limits, "20 MB and a byte"),
  shown(
    "§5 PNG and more than 1080p are converted",
    engine,
    "a PNG larger than TikTok takes is said beforehand, and goes out as it takes it",
  ),
  shown("§5 unaudited", photos, "an application that is not audited"),
  shown("§5 branded content is not SELF_ONLY", limits, "a paid partnership cannot be for its creator alone"),
  ...codes("§1 token", "invalid_grant", "access_denied", "invalid_client", "unauthorized_client", "invalid_request"),
  ...codes("§1 token", "invalid_scope", "unsupported_grant_type", "unsupported_response_type", "server_error"),
  ...codes("§6", "access_token_invalid", "scope_not_authorized", "scope_permission_missed", "invalid_param"),
  ...codes("§6", "invalid_params", "app_version_check_failed", "invalid_publish_id", "publish_not_cancellable"),
  ...codes(
    "§6",
    "token_not_authorized_for_specified_publish_id",
    "invalid_file_upload",
    "privacy_level_option_mismatch",
  ),
  ...codes("§6", "spam_risk_too_many_posts", "spam_risk_too_many_pending_share", "spam_risk_user_banned_from_posting"),
  ...codes("§6", "reached_active_user_cap", "unaudited_client_can_only_post_to_private_accounts"),
  ...codes("§6", "url_ownership_unverified", "rate_limit_exceeded", "internal_error"),
  ...codes("§6 fail_reason", "file_format_check_failed", "duration_check_failed", "frame_rate_check_failed"),
  ...codes("§6 fail_reason", "picture_size_check_failed", "internal", "video_pull_failed", "photo_pull_failed"),
  ...codes("§6 fail_reason", "publish_cancelled", "auth_removed", "spam_risk_text", "spam_risk"),
  shown("§7 a video's lost answers", upload, "%s on the last chunk: one post"),
  shown("§7 a lost init", upload, "%s when it is begun: nothing is out, so it is begun anew"),
  shown("§7 photos are looked up", photos, "%s: the post is found, and sent once"),
  shown("§7 no unique match", photos, "two posts that say the same are no match"),
  shown("§8.1 wire forms", consent, "are flat, with prefixes, two hours and 180 days"),
  shown("§8.2 rotation", consent, "the spent refresh token is dead at once, and TikTok says so with 200"),
  shown("§8.3 desktop PKCE in hex", consent, "base64url, and no verifier at all, are refused"),
  shown("§8.4 privacy options", posts, "choose among their own privacy levels, and nothing else is taken"),
  shown("§8.4 branded and SELF_ONLY", posts, "a paid partnership cannot be SELF_ONLY"),
  shown(
    "§8.5 unaudited",
    posts,
    "an application that is not audited: private posts of private accounts, five people a day",
  ),
  shown("§8.6 calls a minute", posts, "limits a minute slide"),
  shown("§8.6 posts a day", posts, "fifteen posts a day"),
  shown(
    "§8.7 chunks",
    posts,
    "go in order: 206 with what is there, 416 where a chunk does not follow, 201 when all is there",
  ),
  shown("§8.7 end of an address", posts, "an address lives an hour, and an unknown one is 404"),
  shown("§8.8 photos fail afterwards", posts, "%s is taken first and fails afterwards"),
  shown("§8.8 verified hosts", posts, "a verified domain covers its subdomains"),
  shown("§8.8 no redirects", posts, "an address that redirects, and one that is not there"),
  shown("§8.9 complete before the id", posts, "complete before there is an id; the id a bare number of 19 digits"),
  shown(
    "§8.10 signed webhooks",
    webhook,
    "a permission that is taken away: the token is dead, and the event is signed over time and body",
  ),
  shown("§8.11 no de-duplication", posts, "every call is a post of its own"),
];
