import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { gif, jpeg, png } from "../testing/media";
import { mp4 } from "../testing/mp4";
import { pdf } from "../testing/pdf";
import { testSandbox } from "../testing/sandbox";
import { visibleText } from "./posts";
import {
  beginImage,
  beginVideo,
  errorOf,
  finalize,
  image,
  put,
  SCOPES,
  type Session,
  sendParts,
  session,
  type Upload,
} from "./testing";

const sandbox = testSandbox();
const PART = 4_194_304;
let alice: Session;
beforeAll(async () => {
  alice = await session(sandbox);
});
beforeEach(() => sandbox.control("POST", "reset"));
const switches = (set: object) => sandbox.control("POST", "linkedin/switches", set);
const urnOf = (answer: Response) => answer.headers.get("x-restli-id");
const statusOf = async (urn: string) =>
  (await (await alice.get(`rest/videos/${encodeURIComponent(urn)}`)).json()).status;

/** Uploads a video and polls until processing is done. */
async function video(bytes: Uint8Array = mp4()): Promise<string> {
  const upload = await beginVideo(alice, bytes.length);
  expect((await finalize(alice, upload, await sendParts(upload, bytes))).status).toBe(200);
  for (let poll = 0; poll < 2; poll++) await statusOf(upload.video);
  return upload.video;
}

describe("a post", () => {
  test("returns an empty body and the id in a header", async () => {
    const answer = await alice.publish();
    expect([answer.status, await answer.text()]).toEqual([201, ""]);
    const urn = urnOf(answer);
    expect(urn).toMatch(/^urn:li:share:\d{19}$/);
    expect(await sandbox.posts("linkedin")).toMatchObject([
      {
        id: urn,
        text: "Hello",
        settings: { visibility: "PUBLIC" },
        permalink: `https://www.linkedin.com/feed/update/${urn}/`,
      },
    ]);
  });

  test("is rejected as a duplicate for ten minutes, per author", async () => {
    const urn = urnOf(await alice.publish());
    expect(await errorOf(alice.publish())).toEqual([422, undefined, `Content is a duplicate of ${urn}`]);
    expect((await alice.publish({ visibility: "CONNECTIONS" })).status).toBe(201);
    expect((await (await session(sandbox, "bob")).publish()).status).toBe(201);
    await sandbox.advance(600);
    expect((await alice.publish()).status).toBe(201);
  });

  test("is cut at the first unescaped reserved character, with 201", async () => {
    expect((await alice.publish({ commentary: "Bells (big) ring" })).status).toBe(201);
    expect((await sandbox.posts("linkedin")).map(({ text }) => text)).toEqual(["Bells "]);
  });
});

test.each([
  ["hashtags are kept", "About #bells and #かね", "About #bells and #かね"],
  ["escapes are removed", "a \\(b\\) \\_c\\_ \\\\ \\#1", "a (b) _c_ \\ #1"],
  ["the long form of a hashtag", "{hashtag|\\#|big\\_bells} ring", "#big_bells ring"],
  ["a mention shows its name", "By @[Acme \\(x\\)](urn:li:organization:12) today", "By Acme (x) today"],
  ["an unescaped underscore", "a_b", "a"],
  ["an unescaped at sign", "me@example.com", "me"],
  ["a number sign alone", "C# is", "C"],
  ["a mention without a URN", "@[Acme](12)", ""],
  ["an unescaped backslash", "a\\b", "a"],
])("little text format: %s", (_, written, shown) => {
  expect(visibleText(written)).toBe(shown);
});

describe("422 and 400", () => {
  test.each<[when: string, fields: object, status: number, says: string]>([
    ["no author", { author: undefined }, 422, "/author :: field is required"],
    ["no visibility", { visibility: undefined }, 422, "/visibility :: field is required"],
    ["no distribution", { distribution: undefined }, 422, "/distribution :: field is required"],
    ["no state", { lifecycleState: undefined }, 422, "/lifecycleState :: field is required"],
    ["an unknown field", { text: "x" }, 422, "/text :: unrecognized field found but not allowed"],
    ["GROUP", { visibility: "GROUP" }, 400, "/visibility"],
    ["3,001 characters", { commentary: "x".repeat(3001) }, 400, "exceeds"],
    ["no text and no media", { commentary: "" }, 400, "must not be empty"],
  ])("%s", async (_, fields, status, says) => {
    const [answered, , message] = await errorOf(alice.publish(fields));
    expect([answered, message]).toEqual([status, expect.stringContaining(says)]);
    expect(await sandbox.posts("linkedin")).toEqual([]);
  });

  test("rejects a body that is not JSON", async () => {
    expect(await errorOf(alice.post("rest/posts", "{"))).toEqual([
      400,
      "ILLEGAL_ARGUMENT",
      "Request body could not be converted to data map",
    ]);
  });
});

describe("403", () => {
  test("for a document with too many pages, only after its upload; its title is optional", async () => {
    const upload = async (bytes: Uint8Array) => {
      const body = { initializeUploadRequest: { owner: alice.author } };
      const begun = await (await alice.post("rest/documents?action=initializeUpload", body)).json();
      const { uploadUrl, document } = begun.value;
      expect((await put(uploadUrl, bytes)).status).toBe(401);
      expect((await put(uploadUrl, bytes, { authorization: alice.authorization })).status).toBe(201);
      return document;
    };
    const id = await upload(pdf());
    // LinkedIn's page requires a title, and a service in production sends none.
    expect((await alice.publish({ content: { media: { id } } })).status).toBe(201);
    expect((await alice.publish({ content: { media: { id, title: "Scores" } } })).status).toBe(201);
    const long = await upload(pdf({ pages: 301 }));
    const refused = await errorOf(alice.publish({ content: { media: { id: long, title: "Long" } } }));
    expect(refused.slice(0, 2)).toEqual([400, "MEDIA_ASSET_PROCESSING_FAILED"]);
  });

  test("for the files of another author", async () => {
    await sandbox.control("POST", "linkedin/page", { account: "anna", id: "7", name: "Bells" });
    const scope = `${SCOPES} w_organization_social rw_organization_admin`;
    const anna = await session(sandbox, "anna", { scope });
    const author = "urn:li:organization:7";
    expect((await anna.publish({ author })).status).toBe(201);
    const own = await image(anna, await jpeg());
    expect((await errorOf(anna.publish({ author, content: { media: { id: own } } })))[0]).toBe(403);
    const roles = await (await anna.get("rest/organizationAcls?q=roleAssignee&state=APPROVED")).json();
    expect(roles.elements).toEqual([
      { role: "ADMINISTRATOR", roleAssignee: anna.author, state: "APPROVED", organization: author },
    ]);
    const { results } = await (await anna.get("rest/organizationsLookup?ids=List(7,8)")).json();
    expect(results).toEqual({ 7: { id: 7, localizedName: "Bells", vanityName: "page-7" } });
    const administered = await (await anna.get("rest/organizations?ids=List(7,8)")).json();
    expect(administered).toMatchObject({ results, statuses: { 7: 200, 8: 403 } });
    const plain = await session(sandbox, "bob");
    expect((await errorOf(plain.get("rest/organizationAcls?q=roleAssignee")))[0]).toBe(403);
    expect((await errorOf(plain.publish({ author })))[0]).toBe(403);
  });

  test("for another member's author, owner or media, and for groups", async () => {
    const bob = await session(sandbox, "bob");
    const owner = { initializeUploadRequest: { owner: bob.author } };
    expect((await errorOf(alice.publish({ author: bob.author })))[0]).toBe(403);
    expect((await errorOf(alice.post("rest/images?action=initializeUpload", owner)))[0]).toBe(403);
    const id = await image(bob, await jpeg());
    expect((await errorOf(alice.publish({ content: { media: { id } } })))[2]).toContain(
      "this image resource is forbidden",
    );
    expect((await errorOf(alice.publish({ visibility: "CONTAINER", container: "urn:li:group:1" })))[0]).toBe(403);
  });
});

describe("images", () => {
  test("2 to 20 in order; rejects a single image and a mix with video", async () => {
    const ids = [await image(alice, await jpeg()), await image(alice, await png()), await image(alice, await gif())];
    const images = ids.map((id) => ({ id, altText: "A bell" }));
    expect((await alice.publish({ content: { multiImage: { images } } })).status).toBe(201);
    expect((await sandbox.posts("linkedin"))[0]?.media.map(({ type }) => type)).toEqual([
      "image/jpeg",
      "image/png",
      "image/gif",
    ]);
    const one = images.slice(0, 1);
    expect((await alice.publish({ content: { multiImage: { images: one } } })).status).toBe(400);
    const many = Array.from({ length: 21 }, () => images[0]);
    expect((await alice.publish({ content: { multiImage: { images: many } } })).status).toBe(400);
    const mixed = [...one, { id: await video() }];
    expect((await alice.publish({ content: { multiImage: { images: mixed } } })).status).toBe(400);
    expect((await alice.publish({ content: { media: images[0], multiImage: { images } } })).status).toBe(422);
  });

  test("are uploaded with the token and must be JPEG, PNG or GIF", async () => {
    const { uploadUrl } = await beginImage(alice);
    expect((await put(uploadUrl, await jpeg())).status).toBe(401);
    const { authorization } = alice;
    expect((await put(uploadUrl, Buffer.alloc(100, 7), { authorization })).status).toBe(415);
    expect((await put(uploadUrl.replace(/sau=.*/, "sau=x"), await jpeg(), { authorization })).status).toBe(403);
    await sandbox.advance(86_400);
    expect((await errorOf(put(uploadUrl, await jpeg(), { authorization })))[1]).toBe("EXPIRED_UPLOAD_URL");
  });

  test("can be posted only after processing; their status cannot be read", async () => {
    await switches({ imageSeconds: 30 });
    const id = await image(alice, await jpeg());
    expect((await errorOf(alice.publish({ content: { media: { id } } })))[1]).toBe("MEDIA_ASSET_WAITING_UPLOAD");
    expect((await errorOf(alice.get(`rest/images/${encodeURIComponent(id)}`)))[0]).toBe(403);
    await sandbox.advance(31);
    expect((await alice.publish({ content: { media: { id } } })).status).toBe(201);
    const { image: empty } = await beginImage(alice);
    expect((await errorOf(alice.publish({ content: { media: { id: empty } } })))[1]).toBe("MEDIA_ASSET_WAITING_UPLOAD");
  });
});

describe("a video", () => {
  const long = () => {
    const free = Buffer.alloc(PART + 1000);
    free.writeUInt32BE(free.length, 0);
    free.write("free", 4, "latin1");
    return Buffer.concat([mp4(), free]);
  };
  let bytes: Uint8Array;
  let upload: Upload;
  beforeEach(async () => {
    bytes = long();
    upload = await beginVideo(alice, bytes.length);
  });

  test("is uploaded in parts of 4 MiB, and is available after some status requests", async () => {
    expect(upload.uploadInstructions.map(({ firstByte, lastByte }) => [firstByte, lastByte])).toEqual([
      [0, PART - 1],
      [PART, 2 * PART - 1],
    ]);
    expect(await statusOf(upload.video)).toBe("WAITING_UPLOAD");
    const done = await finalize(alice, upload, await sendParts(upload, bytes));
    expect([done.status, await done.text()]).toEqual([200, ""]);
    expect((await errorOf(alice.publish({ content: { media: { id: upload.video } } })))[1]).toBe(
      "MEDIA_ASSET_WAITING_UPLOAD",
    );
    expect([await statusOf(upload.video), await statusOf(upload.video)]).toEqual(["PROCESSING", "AVAILABLE"]);
    const answer = await alice.publish({ content: { media: { id: upload.video, title: "Bells" } } });
    expect(urnOf(answer)).toMatch(/^urn:li:ugcPost:/);
  });

  test("takes parts with and without a token, and rejects another length", async () => {
    const [first] = upload.uploadInstructions;
    const url = first?.uploadUrl ?? "";
    const { authorization } = alice;
    expect((await put(url, bytes.slice(0, PART), { authorization })).status).toBe(200);
    expect((await put(url, bytes.slice(0, PART - 1))).status).toBe(400);
    const answer = await put(url, bytes.slice(0, PART));
    expect([answer.status, answer.headers.get("etag")]).toEqual([200, expect.stringMatching(/^"\w+"$/)]);
  });

  test("revoke_token at a part upload revokes the token that started the upload", async () => {
    const dave = await session(sandbox, "dave");
    const [first] = (await beginVideo(dave, bytes.length)).uploadInstructions;
    await sandbox.fault({ network: "linkedin", operation: "upload", fault: "revoke_token" });
    await put(first?.uploadUrl ?? "", bytes.slice(0, PART));
    expect((await dave.publish()).status).toBe(401);
    expect((await alice.publish()).status).toBe(201);
  });

  test("is finalized only with all parts and its upload token", async () => {
    const [first = "", second = ""] = await sendParts(upload, bytes);
    expect((await errorOf(finalize(alice, upload, [first])))[1]).toBe("UPDATING_ASSET_FAILED");
    expect((await errorOf(finalize(alice, upload, [first, "other"])))[1]).toBe("UPDATING_ASSET_FAILED");
    expect((await finalize(alice, upload, [first, second], { uploadToken: "other" })).status).toBe(400);
    expect(await statusOf(upload.video)).toBe("WAITING_UPLOAD");
  });

  test("with parts in the wrong order is accepted and fails in processing", async () => {
    const tags = await sendParts(upload, bytes);
    expect((await finalize(alice, upload, tags.toReversed())).status).toBe(200);
    await statusOf(upload.video);
    expect(await statusOf(upload.video)).toBe("PROCESSING_FAILED");
    expect((await errorOf(alice.publish({ content: { media: { id: upload.video } } })))[1]).toBe(
      "MEDIA_ASSET_PROCESSING_FAILED",
    );
  });

  test("can have a thumbnail, uploaded with its media-type-family", async () => {
    const small = mp4();
    const begun = await beginVideo(alice, small.length, { uploadThumbnail: true });
    const url = begun.thumbnailUploadUrl ?? "";
    expect((await put(url, await jpeg())).status).toBe(400);
    expect((await put(url, await jpeg(), { "media-type-family": "STILLIMAGE" })).status).toBe(201);
    await finalize(alice, begun, await sendParts(begun, small));
    for (let poll = 0; poll < 2; poll++) await statusOf(begun.video);
    await alice.publish({ content: { media: { id: begun.video } } });
    expect((await sandbox.posts("linkedin"))[0]?.settings).toHaveProperty("thumbnail");
  });

  test("is rejected above 500 MB, and fails below 3 seconds", async () => {
    const body = { initializeUploadRequest: { owner: alice.author, fileSizeBytes: 500 * 1_048_576 + 1 } };
    expect((await alice.post("rest/videos?action=initializeUpload", body)).status).toBe(400);
    expect(await statusOf(await video(mp4({ seconds: 2 })))).toBe("PROCESSING_FAILED");
  });

  test("can be read by its encoded URN and its own member, unless forbidden", async () => {
    expect((await errorOf(alice.get(`rest/videos/${upload.video}`)))[1]).toBe("ILLEGAL_ARGUMENT");
    const bob = await session(sandbox, "bob");
    expect((await errorOf(bob.get(`rest/videos/${encodeURIComponent(upload.video)}`)))[2]).toContain("video resource");
    await switches({ statusForbidden: true });
    expect((await errorOf(alice.get(`rest/videos/${encodeURIComponent(upload.video)}`)))[0]).toBe(403);
  });
});

describe("the older way to post", () => {
  const PROTOCOL = { "x-restli-protocol-version": "2.0.0" };

  function share(text: string, category: string, media: object[] = [], visibility = "PUBLIC") {
    const content = { shareCommentary: { text }, shareMediaCategory: category, media };
    return {
      author: alice.author,
      lifecycleState: "PUBLISHED",
      specificContent: { "com.linkedin.ugc.ShareContent": content },
      visibility: { "com.linkedin.ugc.MemberNetworkVisibility": visibility },
    };
  }
  const publish = (body: object, headers: Record<string, string> = PROTOCOL) =>
    alice.post("v2/ugcPosts", body, headers);

  async function register(owner = alice.author) {
    const recipes = ["urn:li:digitalmediaRecipe:feedshare-image"];
    const serviceRelationships = [{ relationshipType: "OWNER", identifier: "urn:li:userGeneratedContent" }];
    const body = { registerUploadRequest: { recipes, owner, serviceRelationships } };
    return alice.post("v2/assets?action=registerUpload", body, {});
  }

  test("needs no version, returns the id in the body and in a header, and has a text without markup", async () => {
    const answer = await publish(share("Words (plain) {too}", "NONE", [], "CONNECTIONS"));
    expect([answer.status, await answer.json()]).toEqual([201, { id: urnOf(answer) }]);
    expect(await sandbox.posts("linkedin")).toMatchObject([
      { id: urnOf(answer), text: "Words (plain) {too}", settings: { visibility: "CONNECTIONS" } },
    ]);
  });

  test("refuses a duplicate, another author, a missing protocol and files that are missing, early or of another kind", async () => {
    const { id } = await (await publish(share("Once", "NONE"))).json();
    expect(await errorOf(publish(share("Once", "NONE")))).toEqual([422, undefined, `Content is a duplicate of ${id}`]);
    expect((await errorOf(publish({ ...share("Mine", "NONE"), author: "urn:li:person:other" })))[0]).toBe(403);
    expect((await errorOf(publish(share("Mine", "NONE"), {})))[0]).toBe(400);
    expect((await errorOf(register("urn:li:person:other")))[0]).toBe(403);
    const { asset, uploadMechanism } = (await (await register()).json()).value;
    const [{ uploadUrl }] = Object.values(uploadMechanism) as [{ uploadUrl: string }];
    const media = [{ status: "READY", media: asset }];
    expect((await errorOf(publish(share("Early", "IMAGE", media))))[1]).toBe("MEDIA_ASSET_WAITING_UPLOAD");
    expect((await put(uploadUrl, await jpeg())).status).toBe(401);
    expect((await put(uploadUrl, await jpeg(), { authorization: alice.authorization })).status).toBe(201);
    expect((await errorOf(publish(share("Kind", "VIDEO", media))))[0]).toBe(400);
    expect((await errorOf(publish(share("None", "IMAGE"))))[0]).toBe(400);
    expect((await errorOf(publish(share("Unknown", "IMAGE", [{ status: "READY", media: `${asset}x` }]))))[1]).toBe(
      "INVALID_URN_ID",
    );
    expect((await publish(share("At last", "IMAGE", media))).status).toBe(201);
  });
});
