import type { Sheet } from "../../testing/sheet";

/** Every demand of Bluesky's sheet, and the test that shows it; a row without one is what is not done. */
export const sheet: Sheet = [
  {
    row: "§1.1 handle to DID to document to server, both directions agreeing",
    proof: { file: "lib/networks/bluesky/connect.test.ts", test: "a name that the account itself does not have" },
  },
  {
    row: "§1.1 a handle as people type it: at sign, invisible characters, bare name",
    proof: { file: "lib/networks/bluesky/identity.test.ts", test: "%j is typed for %s" },
  },
  {
    row: "§1.1 fetches guarded against SSRF",
    proof: {
      file: "lib/networks/bluesky/password.test.ts",
      test: "a server that is not a public one is not called either",
    },
  },
  {
    row: "§1.2 createSession with an app password; the main password refused by its form",
    proof: { file: "lib/networks/bluesky/password.test.ts", test: "%s is refused" },
  },
  {
    row: "§1.2 refreshSession: rotation with two hours of grace",
    proof: {
      file: "lib/networks/bluesky/password.test.ts",
      test: "a refresh gives a new pair; the spent token gives the same one again",
    },
  },
  {
    row: "§1.2 no re-login by a stored password is wanted, so just the tokens are kept",
    proof: {
      file: "lib/accounts/keep-fresh.test.ts",
      test: "is all that is kept: the password is not, nor anything it could be read from",
    },
  },
  {
    row: "§1.2 the 90 days of an idle session never pass: its tokens are renewed every week",
    proof: {
      file: "lib/accounts/keep-fresh.test.ts",
      test: "is renewed after a week of silence without signing in again, so that its ninety days never pass",
    },
  },
  {
    row: "§1.2 deleteSession signs out",
    proof: { file: "lib/networks/bluesky/password.test.ts", test: "signing out ends it" },
  },
  {
    row: "§1.2 an app password that was taken back",
    proof: {
      file: "lib/networks/bluesky/password.test.ts",
      test: "taken back by its person: the next refresh says so, the access token lives to its end",
    },
  },
  {
    row: "§1.3 pushed request; the browser carries a reference only",
    proof: {
      file: "lib/networks/bluesky/connect.test.ts",
      test: "nothing but a reference and our name is in the browser's address",
    },
  },
  {
    row: "§1.3 client metadata document, private_key_jwt at every call",
    proof: {
      file: "lib/networks/bluesky/connect.test.ts",
      test: "it is known by its document and proves itself with its key, at every call",
    },
  },
  {
    row: "§1.3 the document as it is served",
    proof: {
      file: "lib/connect/client-document.test.ts",
      test: "is Bluesky's, at the address that is its id, with the public part of the key",
    },
  },
  {
    row: "§1.3 loopback client on this machine; the bridge moves to 127.0.0.1 first",
    proof: {
      file: "lib/connect/loopback.test.ts",
      test: "a network that returns to a number: the browser goes there first, and gets its cookie there",
    },
  },
  {
    row: "§1.3 DPoP nonce per server, remembered, fetched anew",
    proof: {
      file: "lib/networks/bluesky/connect.test.ts",
      test: "a nonce that has run out is fetched anew, and remembered for the next call",
    },
  },
  {
    row: "§1.3 a proof for one method, token and use",
    proof: { file: "lib/networks/bluesky/connect.test.ts", test: "a proof is for one request, one token and one time" },
  },
  {
    row: "§1.3 iss of the callback is the expected issuer",
    proof: { file: "lib/networks/bluesky/connect.test.ts", test: "one %s is refused before anything is sent" },
  },
  {
    row: "§1.3 refusal by the person",
    proof: { file: "lib/networks/bluesky/connect.test.ts", test: "a no comes back as access_denied" },
  },
  {
    row: "§1.3 code bound to verifier and key",
    proof: { file: "lib/networks/bluesky/connect.test.ts", test: "another verifier, another key" },
  },
  {
    row: "§1.3 refresh: single use, a replay ends the session",
    proof: {
      file: "lib/networks/bluesky/connect.test.ts",
      test: "each refresh spends the token; presented again it ends everything",
    },
  },
  {
    row: "§1.3 revocation",
    proof: {
      file: "lib/networks/bluesky/connect.test.ts",
      test: "an ended one is refused with 401, a withdrawn one too",
    },
  },
  {
    row: "§1.3 granular scopes; ScopeMissingError",
    proof: {
      file: "lib/networks/bluesky/connect.test.ts",
      test: "a right that was not given is asked for by connecting again",
    },
  },
  {
    row: "§1.4 both behind one session: app passwords stored like any account",
    proof: {
      file: "lib/schedules/publish-bluesky.test.ts",
      test: "is stored like any other, publishes, and renews its session",
    },
  },
  {
    row: "§2 DID, handle, shown name and picture",
    proof: {
      file: "lib/networks/bluesky/connect.test.ts",
      test: "is the DID, the handle, the shown name and the picture",
    },
  },
  {
    row: "§2 takendown, suspended, deactivated",
    proof: { file: "lib/networks/bluesky/connect.test.ts", test: "an account that was taken down" },
  },
  {
    row: "§4.1 a text; permalink by DID",
    proof: { file: "lib/networks/bluesky/publish.test.ts", test: "a text, its address by DID" },
  },
  {
    row: "§4.2 facets: links, mentions resolved, tags",
    proof: {
      file: "lib/networks/bluesky/publish.test.ts",
      test: "links, hashtags and mentions of people there are; nobody's name stays text",
    },
  },
  {
    row: "§4.2 byte offsets",
    proof: { file: "lib/networks/bluesky/facets.test.ts", test: "offsets are bytes of UTF-8, the end not included" },
  },
  {
    row: "§4.2 long URLs shortened in the visible text",
    proof: {
      file: "lib/networks/bluesky/publish.test.ts",
      test: "is shown cut, and leads to the whole address",
    },
  },
  {
    row: "§4.2 the length is that of the visible text",
    proof: {
      file: "lib/networks/bluesky/publish.test.ts",
      test: "leaves room: what is too long as it was written is taken at its bound as it is shown, and not above",
    },
  },
  {
    row: "§4.3 one image with alt and shape",
    proof: {
      file: "lib/networks/bluesky/publish.test.ts",
      test: "an image with its shape and an empty alternative text",
    },
  },
  {
    row: "§4.3 2 to 4 images, 5 to 10 as a gallery",
    proof: { file: "lib/networks/bluesky/publish.test.ts", test: "%i images are %s, in order" },
  },
  {
    row: "§4.3 EXIF stripped",
    proof: {
      file: "lib/networks/bluesky/metadata.test.ts",
      test: "what the camera wrote is gone; the pixels are the same",
    },
  },
  {
    row: "§4.3 unreferenced blobs are dropped: uploaded again",
    proof: {
      file: "lib/networks/bluesky/publish.test.ts",
      test: "images are dropped after some hours, and uploaded once more",
    },
  },
  {
    row: "§4.4 video by the service: limits, parts, job, blob",
    proof: {
      file: "lib/networks/bluesky/publish.test.ts",
      test: "a video in parts by the video service, after it was allowed and encoded",
    },
  },
  {
    row: "§4.4 an upload resumed after a cut",
    proof: {
      file: "lib/networks/bluesky/publish.test.ts",
      test: "an upload that is cut goes on with the part that is missing",
    },
  },
  {
    row: "§4.4 the whole file at once where the service has no parts; already_exists",
    proof: {
      file: "lib/networks/bluesky/video.test.ts",
      test: "a service without parts takes the whole file; of the same file it answers the job of before",
    },
  },
  {
    row: "§4.4 failures with failureCode",
    proof: { file: "lib/networks/bluesky/publish.test.ts", test: "what it cannot encode is refused with its reason" },
  },
  {
    row: "§4.4 pds_upload_failure is tried again",
    proof: { file: "lib/networks/bluesky/publish.test.ts", test: "what it could not store is uploaded again" },
  },
  {
    row: "§4.4 canUpload false without a confirmed e-mail",
    proof: {
      file: "lib/networks/bluesky/publish.test.ts",
      test: "an account without a confirmed e-mail address is told so",
    },
  },
  {
    row: "§4.5 link card from Open Graph tags, thumb of 1,000,000 bytes at most",
    proof: { file: "lib/networks/bluesky/card.test.ts", test: "is what the page says of itself, its picture uploaded" },
  },
  {
    row: "§4.5 not together with images",
    proof: {
      file: "lib/networks/bluesky/card.test.ts",
      test: "the first link has the card; with a picture of one's own there is none",
    },
  },
  {
    row: "§4.6 threads with root and parent",
    proof: {
      file: "lib/networks/bluesky/publish.test.ts",
      test: "a thread: every reply names the first post and the one before",
    },
  },
  { row: "§5 300 graphemes and 3,000 bytes", proof: { file: "lib/networks/bluesky/limits.test.ts", test: "%s" } },
  { row: "§5 images: count, size, types", proof: { file: "lib/networks/bluesky/limits.test.ts", test: "%s" } },
  { row: "§5 video: size, duration, types", proof: { file: "lib/networks/bluesky/limits.test.ts", test: "%s" } },
  {
    row: "§5 rate limit headers: the wait until ratelimit-reset",
    proof: {
      file: "lib/networks/bluesky/errors.test.ts",
      test: "the wait lasts until the window that is used up opens",
    },
  },
  { row: "§6 every row of the error table", proof: { file: "lib/networks/bluesky/errors.test.ts", test: "%s" } },
  {
    row: "§7 fixed key, putRecord with swapRecord null: no-op, InvalidSwap",
    proof: { file: "lib/networks/bluesky/publish.test.ts", test: "the same record once more changes nothing" },
  },
  {
    row: "§7 another content under the key",
    proof: {
      file: "lib/networks/bluesky/publish.test.ts",
      test: "another content under the same key is refused and taken for what stands there",
    },
  },
  {
    row: "§7 read back by key after a lost answer",
    proof: { file: "lib/networks/bluesky/publish.test.ts", test: "%s: one post, found by its key" },
  },
  {
    row: "§7 through the engine: drop_response, http_500",
    proof: { file: "lib/schedules/publish-bluesky.test.ts", test: "%s: one post, and it is PUBLISHED" },
  },
  { row: "§8.1 lexicons at write time", proof: { file: "sandbox/bluesky/repo.test.ts", test: "refuses %s" } },
  {
    row: "§8.2 ExpiredToken with 400, grace for sessions",
    proof: {
      file: "sandbox/bluesky/sign-in.test.ts",
      test: "a spent refresh token gives the same pair for two hours, then none",
    },
  },
  {
    row: "§8.3 nonce round trip, jti, htm, htu, ath",
    proof: { file: "sandbox/bluesky/sign-in.test.ts", test: "refuses %s" },
  },
  {
    row: "§8.4 unknown blobs, sniffed types",
    proof: { file: "sandbox/bluesky/repo.test.ts", test: "one that was never uploaded, or by somebody else" },
  },
  {
    row: "§8.5 500 on a duplicate key",
    proof: { file: "sandbox/bluesky/repo.test.ts", test: "createRecord answers 500 the second time" },
  },
  { row: "§8.6 wrong facet offsets are taken", proof: { file: "sandbox/bluesky/repo.test.ts", test: "takes %s" } },
  {
    row: "§8.7 ratelimit headers and points",
    proof: {
      file: "sandbox/bluesky/repo.test.ts",
      test: "points are counted and told: three for a creation, two for a put, one for a deletion",
    },
  },
  {
    row: "§8.7 429",
    proof: { file: "sandbox/bluesky/sign-in.test.ts", test: "30 sign-ins in five minutes, and no more" },
  },
  {
    row: "§8.8 service auth rules, flat reply, states, already_exists",
    proof: { file: "sandbox/bluesky/video.test.ts", test: "is answered flat, and is encoded over some looks" },
  },
  {
    row: "§8.9 handles resolve, one-way links fail",
    proof: { file: "lib/networks/bluesky/connect.test.ts", test: "a name that the account itself does not have" },
  },
  {
    row: "§8.10 two hosts",
    proof: { file: "sandbox/bluesky/repo.test.ts", test: "the entrance knows no repositories" },
  },
  {
    row: "§9 against the real server: rich text, images, threads, read back",
    proof: {
      file: "lib/networks/bluesky/real-server.test.ts",
      test: "rich text comes back as it was sent, and the sandbox gives it the same name",
    },
  },
  {
    row: "every request held against its lexicon",
    proof: {
      file: "lib/networks/bluesky/publish.test.ts",
      test: "everything that was sent is as the lexicons have it",
    },
  },
];
