import type { Sheet, SheetRow } from "../../testing/sheet";

const connect = "lib/networks/bluesky/connect.test.ts";
const identity = "lib/networks/bluesky/identity.test.ts";
const password = "lib/networks/bluesky/password.test.ts";
const accountsKeepFresh = "lib/accounts/keep-fresh.test.ts";
const connectClientDocument = "lib/connect/client-document.test.ts";
const connectLoopback = "lib/connect/loopback.test.ts";
const schedulesPublishBluesky = "lib/schedules/publish/publish-bluesky.test.ts";
const publish = "lib/networks/bluesky/publish.test.ts";
const facets = "lib/networks/bluesky/facets.test.ts";
const metadata = "lib/networks/bluesky/metadata.test.ts";
const video = "lib/networks/bluesky/video.test.ts";
const card = "lib/networks/bluesky/card.test.ts";
const limits = "lib/networks/bluesky/limits.test.ts";
const errors = "lib/networks/bluesky/errors.test.ts";
const sandboxRepo = "sandbox/bluesky/repo.test.ts";
const sandboxSignIn = "sandbox/bluesky/sign-in.test.ts";
const sandboxVideo = "sandbox/bluesky/video.test.ts";
const realServer = "lib/networks/bluesky/real-server.test.ts";

const shown = (row: string, file: string, test: string): SheetRow => ({ row, proof: { file, test } });

/** Every demand of Bluesky's sheet, and the test that shows it; a row without one is what is not done. */
export const sheet: Sheet = [
  shown(
    "§1.1 handle to DID to document to server, both directions agreeing",
    connect,
    "a name that the account itself does not have",
  ),
  shown("§1.1 a handle as people type it: at sign, invisible characters, bare name", identity, "%j is typed for %s"),
  shown("§1.1 fetches guarded against SSRF", password, "a server that is not a public one is not called either"),
  shown("§1.2 createSession with an app password; the main password refused by its form", password, "%s is refused"),
  shown(
    "§1.2 refreshSession: rotation with two hours of grace",
    password,
    "a refresh gives a new pair; the spent token gives the same one again",
  ),
  shown(
    "§1.2 no re-login by a stored password is wanted, so just the tokens are kept",
    accountsKeepFresh,
    "is all that is kept: the password is not, nor anything it could be read from",
  ),
  shown(
    "§1.2 the 90 days of an idle session never pass: its tokens are renewed every week",
    accountsKeepFresh,
    "is renewed after a week of silence without signing in again, so that its ninety days never pass",
  ),
  shown("§1.2 deleteSession signs out", password, "signing out ends it"),
  shown(
    "§1.2 an app password that was taken back",
    password,
    "taken back by its person: the next refresh says so, the access token lives to its end",
  ),
  shown(
    "§1.3 pushed request; the browser carries a reference only",
    connect,
    "nothing but a reference and our name is in the browser's address",
  ),
  shown(
    "§1.3 client metadata document, private_key_jwt at every call",
    connect,
    "it is known by its document and proves itself with its key, at every call",
  ),
  shown(
    "§1.3 the document as it is served",
    connectClientDocument,
    "is Bluesky's, at the address that is its id, with the public part of the key",
  ),
  shown(
    "§1.3 loopback client on this machine; the bridge moves to 127.0.0.1 first",
    connectLoopback,
    "a network that returns to a number: the browser goes there first, and gets its cookie there",
  ),
  shown(
    "§1.3 DPoP nonce per server, remembered, fetched anew",
    connect,
    "a nonce that has run out is fetched anew, and remembered for the next call",
  ),
  shown("§1.3 a proof for one method, token and use", connect, "a proof is for one request, one token and one time"),
  shown("§1.3 iss of the callback is the expected issuer", connect, "one %s is refused before anything is sent"),
  shown("§1.3 refusal by the person", connect, "a no comes back as access_denied"),
  shown("§1.3 code bound to verifier and key", connect, "another verifier, another key"),
  shown(
    "§1.3 refresh: single use, a replay ends the session",
    connect,
    "each refresh spends the token; presented again it ends everything",
  ),
  shown("§1.3 revocation", connect, "an ended one is refused with 401, a withdrawn one too"),
  shown(
    "§1.3 granular scopes; ScopeMissingError",
    connect,
    "a right that was not given is asked for by connecting again",
  ),
  shown(
    "§1.4 both behind one session: app passwords stored like any account",
    schedulesPublishBluesky,
    "is stored like any other, publishes, and renews its session",
  ),
  shown("§2 DID, handle, shown name and picture", connect, "is the DID, the handle, the shown name and the picture"),
  shown("§2 takendown, suspended, deactivated", connect, "an account that was taken down"),
  shown("§4.1 a text; permalink by DID", publish, "a text, its address by DID"),
  shown(
    "§4.2 facets: links, mentions resolved, tags",
    publish,
    "links, hashtags and mentions of people there are; nobody's name stays text",
  ),
  shown("§4.2 byte offsets", facets, "offsets are bytes of UTF-8, the end not included"),
  shown("§4.2 long URLs shortened in the visible text", publish, "is shown cut, and leads to the whole address"),
  shown(
    "§4.2 the length is that of the visible text",
    publish,
    "leaves room: what is too long as it was written is taken at its bound as it is shown, and not above",
  ),
  shown("§4.3 one image with alt and shape", publish, "an image with its shape and an empty alternative text"),
  shown("§4.3 alt", publish, "what images and videos show, in words"),
  shown("§4.3 2 to 4 images, 5 to 10 as a gallery", publish, "%i images are %s, in order"),
  shown("§4.3 EXIF stripped", metadata, "what the camera wrote is gone; the pixels are the same"),
  shown(
    "§4.3 unreferenced blobs are dropped: uploaded again",
    publish,
    "images are dropped after some hours, and uploaded once more",
  ),
  shown(
    "§4.4 video by the service: limits, parts, job, blob",
    publish,
    "a video in parts by the video service, after it was allowed and encoded",
  ),
  shown("§4.4 an upload resumed after a cut", publish, "an upload that is cut goes on with the part that is missing"),
  shown(
    "§4.4 the whole file at once where the service has no parts; already_exists",
    video,
    "a service without parts takes the whole file; of the same file it answers the job of before",
  ),
  shown("§4.4 failures with failureCode", publish, "what it cannot encode is refused with its reason"),
  shown("§4.4 pds_upload_failure is tried again", publish, "what it could not store is uploaded again"),
  shown(
    "§4.4 canUpload false without a confirmed e-mail",
    publish,
    "an account without a confirmed e-mail address is told so",
  ),
  shown(
    "§4.5 link card from Open Graph tags, thumb of 1,000,000 bytes at most",
    card,
    "is what the page says of itself, its picture uploaded",
  ),
  shown(
    "§4.5 not together with images",
    card,
    "the first link has the card; with a picture of one's own there is none",
  ),
  shown("§4.6 threads with root and parent", publish, "a thread: every reply names the first post and the one before"),
  shown("§5 300 graphemes and 3,000 bytes", limits, "%s"),
  shown("§5 images: count, size, types", limits, "%s"),
  shown("§5 images below 1 MB on older hosts", limits, "an image of an account %s is made to fit"),
  shown(
    "§5 images below 1 MB on older hosts, through the engine",
    schedulesPublishBluesky,
    "a server of an older version is sent images that it takes, made smaller on the way",
  ),
  shown("§5 video: size, duration, types", limits, "%s"),
  shown(
    "§5 rate limit headers: the wait until ratelimit-reset",
    errors,
    "the wait lasts until the window that is used up opens",
  ),
  shown("§6 every row of the error table", errors, "%s"),
  shown(
    "§7 fixed key, putRecord with swapRecord null: no-op, InvalidSwap",
    publish,
    "the same record once more changes nothing",
  ),
  shown(
    "§7 another content under the key",
    publish,
    "another content under the same key is refused and taken for what stands there",
  ),
  shown("§7 read back by key after a lost answer", publish, "%s: one post, found by its key"),
  shown("§7 through the engine: drop_response, http_500", schedulesPublishBluesky, "%s: one post, and it is PUBLISHED"),
  shown("§8.1 lexicons at write time", sandboxRepo, "refuses %s"),
  shown(
    "§8.2 ExpiredToken with 400, grace for sessions",
    sandboxSignIn,
    "a spent refresh token gives the same pair for two hours, then none",
  ),
  shown("§8.3 nonce round trip, jti, htm, htu, ath", sandboxSignIn, "refuses %s"),
  shown("§8.4 unknown blobs, sniffed types", sandboxRepo, "one that was never uploaded, or by somebody else"),
  shown("§8.5 500 on a duplicate key", sandboxRepo, "createRecord answers 500 the second time"),
  shown("§8.6 wrong facet offsets are taken", sandboxRepo, "takes %s"),
  shown(
    "§8.7 ratelimit headers and points",
    sandboxRepo,
    "points are counted and told: three for a creation, two for a put, one for a deletion",
  ),
  shown("§8.7 429", sandboxSignIn, "30 sign-ins in five minutes, and no more"),
  shown(
    "§8.8 service auth rules, flat reply, states, already_exists",
    sandboxVideo,
    "is answered flat, and is encoded over some looks",
  ),
  shown("§8.9 handles resolve, one-way links fail", connect, "a name that the account itself does not have"),
  shown("§8.10 two hosts", sandboxRepo, "the entrance knows no repositories"),
  shown(
    "§9 against the real server: rich text, images, threads, read back",
    realServer,
    "rich text comes back as it was sent, and the sandbox gives it the same name",
  ),
  shown("every request held against its lexicon", publish, "everything that was sent is as the lexicons have it"),
];
