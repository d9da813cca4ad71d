import type { Sheet } from "../../testing/sheet";

const ADAPTER = "lib/networks/facebook/facebook.test.ts";
const ERRORS = "lib/networks/facebook/errors.test.ts";
const LIMITS = "lib/networks/facebook/limits.test.ts";
const SIGN_IN = "sandbox/facebook/oauth.test.ts";
const SANDBOX = "sandbox/facebook/publish.test.ts";
const ENGINE = "lib/schedules/publish/publish-facebook.test.ts";
const CALLBACKS = "lib/api/callbacks.test.ts";
const at = (file: string, test: string) => ({ file, test });

export const sheet: Sheet = [
  {
    row: "§1 code for a token, exchanged for 60 days",
    proof: at(ADAPTER, "answers a token of 60 days and what was granted"),
  },
  {
    row: "§1 declined permissions",
    proof: at(ADAPTER, "a permission that was declined is missing, although the callback said nothing"),
  },
  {
    row: "§1 exchange of a token that lives",
    proof: at(ADAPTER, "the token is exchanged while it lives, and not after"),
  },
  {
    row: "§1 config_id of Facebook Login for Business",
    proof: at(ADAPTER, "a configuration of Facebook Login for Business takes the scopes' place"),
  },
  { row: "§1 denial", proof: at(ADAPTER, "is denied with access_denied") },
  { row: "§1 token endpoint errors", proof: at(ADAPTER, "a wrong code asks for another sign-in") },
  { row: "§1 appsecret_proof for each token", proof: at(SIGN_IN, "each call proves its own token") },
  { row: "§1 revocation", proof: at(ADAPTER, "disconnecting takes back what was allowed") },
  { row: "§1 deauthorize callback", proof: at(CALLBACKS, "the account needs its person, and its tokens are erased") },
  {
    row: "§1 data deletion callback",
    proof: at(CALLBACKS, "all that the network told us goes; the answer names a page that says so"),
  },
  { row: "§1 forged signed_request", proof: at("lib/networks/meta/signed-request.test.ts", "refused") },
  { row: "§2 identity", proof: at(ADAPTER, "reads whose account it is: people have a name and no user name") },
  {
    row: "§3 Pages, paged, with CREATE_CONTENT",
    proof: at(ADAPTER, "all of them, over several answers, without those that one may not post to"),
  },
  {
    row: "§1 business_management, so that business-held Pages are in /me/accounts",
    proof: at(ADAPTER, "asks for what lists the Pages that a business holds, too"),
  },
  {
    row: "§3 business-held Pages by /me/businesses, owned_pages and client_pages",
    proof: at(ADAPTER, "its own and its clients', none twice, and none that the person may not post to"),
  },
  {
    row: "§3 they are asked for with business_management only",
    proof: at(ADAPTER, "are not asked for where that was not allowed"),
  },
  {
    row: "§3 a business that cannot be read",
    proof: at(ADAPTER, "that cannot be read hides no other Page"),
  },
  { row: "§3 Pages read live", proof: at(ENGINE, "GET chats asks the network") },
  { row: "§4.1 text", proof: at(ADAPTER, "a text, with its permalink") },
  { row: "§4.1 link card", proof: at(ADAPTER, "the first link becomes the card") },
  {
    row: "§4.1 a link that cannot be read",
    proof: at(ADAPTER, "a card that Facebook cannot make of %s is left out, and the link stays in the text"),
  },
  { row: "§4.2 one photo", proof: at(ADAPTER, "one photo with its caption, and one without") },
  { row: "§4.3 several photos", proof: at(ADAPTER, "ten photos as one post, in order") },
  {
    row: "§4.3 unpublished photos vanish after 24 h",
    proof: at(ADAPTER, "photos that waited for more than a day go up again"),
  },
  { row: "§4.4 video in parts", proof: at(ADAPTER, "a video in parts, its bytes whole") },
  { row: "§4.4 resumed after a cut", proof: at(ADAPTER, "a video whose upload is cut goes on where Facebook says") },
  { row: "§4.5 reel", proof: at(ADAPTER, "in three phases, with the description and the permalink that comes late") },
  {
    row: "§4.5 interrupted upload",
    proof: at(ADAPTER, "an upload that is cut goes on from the byte that Facebook has"),
  },
  {
    row: "§4.5 an error in one phase only",
    proof: at(ADAPTER, "of %s: the fault stands in one phase only, and is told"),
  },
  { row: "§4.5 cover", proof: at(ADAPTER, "with a cover") },
  {
    row: "§4.6 and §4.7 stories",
    proof: at(ADAPTER, "an image and a video as two stories, the first standing for the post"),
  },
  { row: "§5 limits, each at its bound", proof: at(LIMITS, "one below, at and above each bound") },
  { row: "§5 formats and ratios", proof: at(LIMITS, "what is one thing or another") },
  { row: "§5 usage headers", proof: at(ERRORS, "how long to stay away stands in a header, in minutes") },
  { row: "§6 error codes", proof: at(ERRORS, "what Facebook answers, and what it means") },
  { row: "§6 errors of processing", proof: at(ERRORS, "what processing ended with: %j") },
  { row: "§6 offsets of a resumed upload", proof: at(ERRORS, "an upload's offsets are read out of the error") },
  {
    row: "§7 read-back of texts and photos",
    proof: at(ADAPTER, "%s after a text: found by its text, application and time"),
  },
  {
    row: "§7 unique match or none",
    proof: at(ADAPTER, "two posts that say the same: neither is taken for the lost one"),
  },
  {
    row: "§7 reels, videos and stories repeated without harm",
    proof: at(ADAPTER, "%s for stories and reels: one each, however it was"),
  },
  { row: "§7 killed at every step", proof: at(ADAPTER, "%s, killed before and after every piece of work: never two") },
  { row: "§7 through the engine", proof: at(ENGINE, "every format goes out once") },
  {
    row: "§8.1 Page and user tokens",
    proof: at(SANDBOX, "a person's is refused, another Page's too, and a Page without CREATE_CONTENT"),
  },
  { row: "§8.2 codes and denial", proof: at(SIGN_IN, "a code works once, and not for long") },
  {
    row: "§8.3 paged Pages, tasks, declined scopes",
    proof: at(SIGN_IN, "are listed a few at a time, with what the person may do on each"),
  },
  { row: "§8.4 190/458, 460, 492", proof: at(SIGN_IN, "the password is changed, and the role on a Page is lost") },
  { row: "§8.5 appsecret_proof", proof: at(SIGN_IN, "each call proves its own token") },
  { row: "§8.6 media fetched as the crawler does", proof: at(SANDBOX, "what robots.txt keeps from the crawler") },
  { row: "§8.7 unpublished photos", proof: at(SANDBOX, "one is attached once, by its own Page, within a day") },
  {
    row: "§8.8 three phases on a second host",
    proof: at(SANDBOX, "the second host wants OAuth, the right offset, and all bytes before the end"),
  },
  { row: "§8.9 video rules", proof: at(SANDBOX, "%s: the fault stands in the phase of processing only") },
  { row: "§8.9 thirty reels a day", proof: at(SANDBOX, "thirty reels in a moving day") },
  {
    row: "§8.10 ids, late post_id",
    proof: at(
      SANDBOX,
      "offsets are texts, another part than the next is refused with what is, and finish waits for all",
    ),
  },
  {
    row: "§8.11 506, 368, throttling by code",
    proof: at(SANDBOX, "throttling is a code with 403, never 429, and tells minutes in a header"),
  },
  {
    row: "§8.12 out, though the answer was lost",
    proof: at(SANDBOX, "a post that is out although its answer was lost"),
  },
];
