import { bearer, JPEG, MP4, PDF, type Sent, type Shape } from "./shape";

const linkedinHeaders = {
  "x-restli-protocol-version": "2.0.0",
  "linkedin-version": "202601",
  ...bearer,
};
const linkedinPost = (commentary: string, content?: object) => ({
  author: "{user}",
  commentary,
  visibility: "PUBLIC",
  distribution: { feedDistribution: "MAIN_FEED", targetEntities: [], thirdPartyDistributionChannels: [] },
  ...(content ? { content } : {}),
  lifecycleState: "PUBLISHED",
  isReshareDisabledByAuthor: false,
});
const linkedinUpload = (kind: "images" | "videos", more: object = {}): Sent => ({
  call: `POST /linkedin/rest/${kind}`,
  query: { action: "initializeUpload" },
  headers: linkedinHeaders,
  json: { initializeUploadRequest: { owner: "{user}", ...more } },
  keep:
    kind === "images"
      ? { upload: "value.uploadUrl", urn: "value.image" }
      : { upload: "value.uploadInstructions.0.uploadUrl", urn: "value.video" },
});

const registerAsset = (kind: "image" | "video", [upload, urn] = ["upload", "urn"]): Sent => ({
  call: "POST /linkedin/v2/assets",
  query: { action: "registerUpload" },
  headers: bearer,
  json: {
    registerUploadRequest: {
      recipes: [`urn:li:digitalmediaRecipe:feedshare-${kind}`],
      owner: "{user}",
      serviceRelationships: [{ relationshipType: "OWNER", identifier: "urn:li:userGeneratedContent" }],
    },
  },
  keep: {
    [upload]: "value.uploadMechanism.*.uploadUrl",
    [urn]: "value.asset",
  },
});
const sendAsset = (upload: string, bytes: "picture" | "video"): Sent => ({
  call: `POST {${upload}}`,
  headers: { ...bearer, "content-type": bytes === "video" ? MP4 : JPEG },
  bytes,
});
const ugcPost = (text: string, category: string, media?: object[]): Sent => ({
  call: "POST /linkedin/v2/ugcPosts",
  headers: { ...bearer, "x-restli-protocol-version": "2.0.0" },
  json: {
    author: "{user}",
    lifecycleState: "PUBLISHED",
    specificContent: {
      "com.linkedin.ugc.ShareContent": {
        shareCommentary: { text },
        shareMediaCategory: category,
        ...(media ? { media } : {}),
      },
    },
    visibility: { "com.linkedin.ugc.MemberNetworkVisibility": "PUBLIC" },
  },
  keep: { id: "id" },
});
const readyAsset = (media: string, text: string) => ({ status: "READY", description: { text }, media });

const postForMe: Omit<Shape, "network" | "by">[] = [
  { what: "text", calls: [ugcPost("words (plain)", "NONE")], shows: { text: "words (plain)", media: [] } },
  {
    what: "link",
    calls: [ugcPost("see https://example.com/", "ARTICLE", [{ status: "READY", originalUrl: "https://example.com/" }])],
    shows: { text: "see https://example.com/", media: [] },
  },
  {
    what: "picture",
    calls: [
      registerAsset("image"),
      sendAsset("upload", "picture"),
      ugcPost("words", "IMAGE", [readyAsset("{urn}", "words")]),
    ],
    shows: { text: "words", media: [JPEG] },
  },
  {
    what: "pictures",
    calls: [
      registerAsset("image", ["upload", "one"]),
      sendAsset("upload", "picture"),
      registerAsset("image", ["upload", "two"]),
      sendAsset("upload", "picture"),
      ugcPost("both", "IMAGE", [readyAsset("{one}", "both"), readyAsset("{two}", "both")]),
    ],
    shows: { text: "both", media: [JPEG, JPEG] },
  },
  {
    what: "video",
    calls: [
      registerAsset("video"),
      sendAsset("upload", "video"),
      ugcPost("film", "VIDEO", [readyAsset("{urn}", "film")]),
    ],
    shows: { text: "film", media: [MP4] },
  },
  {
    what: "document",
    calls: [
      {
        call: "POST /linkedin/rest/documents",
        query: { action: "initializeUpload" },
        headers: linkedinHeaders,
        json: { initializeUploadRequest: { owner: "{user}" } },
        keep: { upload: "value.uploadUrl", urn: "value.document" },
      },
      { call: "PUT {upload}", headers: bearer, bytes: "document" },
      {
        call: "POST /linkedin/rest/posts",
        headers: linkedinHeaders,
        json: linkedinPost("pages", { media: { id: "{urn}" } }),
        keep: { id: "header:x-restli-id" },
      },
    ],
    shows: { text: "pages", media: [PDF] },
  },
];
export const linkedinUgc = postForMe.map((shape): Shape => ({ network: "linkedin", by: "post-for-me", ...shape }));

export const linkedin: Shape[] = [
  {
    network: "linkedin",
    by: "Postiz",
    what: "text and a first comment",
    calls: [
      {
        call: "POST /linkedin/rest/posts",
        headers: linkedinHeaders,
        json: linkedinPost("words"),
        keep: { urn: "header:x-restli-id" },
      },
      {
        call: "POST /linkedin/rest/socialActions/{urn}/comments",
        headers: linkedinHeaders,
        json: { actor: "{user}", object: "{urn}", message: { text: "first" } },
        keep: { object: "object" },
      },
    ],
    shows: { text: "first", media: [], isReply: true },
  },
  {
    network: "linkedin",
    by: "Postiz",
    what: "pictures",
    calls: [
      { ...linkedinUpload("images"), keep: { upload: "value.uploadUrl", one: "value.image" } },
      { call: "PUT {upload}", headers: linkedinHeaders, bytes: "picture" },
      { ...linkedinUpload("images"), keep: { upload: "value.uploadUrl", two: "value.image" } },
      { call: "PUT {upload}", headers: linkedinHeaders, bytes: "picture" },
      {
        call: "POST /linkedin/rest/posts",
        headers: linkedinHeaders,
        json: linkedinPost("both", { multiImage: { images: [{ id: "{one}" }, { id: "{two}" }] } }),
      },
    ],
    shows: { text: "both", media: [JPEG, JPEG] },
  },
  {
    network: "linkedin",
    by: "Postiz",
    what: "document",
    calls: [
      {
        call: "POST /linkedin/rest/documents",
        query: { action: "initializeUpload" },
        headers: linkedinHeaders,
        json: { initializeUploadRequest: { owner: "{user}" } },
        keep: { upload: "value.uploadUrl", urn: "value.document" },
      },
      { call: "PUT {upload}", headers: { ...linkedinHeaders, "content-type": PDF }, bytes: "document" },
      {
        call: "POST /linkedin/rest/posts",
        headers: linkedinHeaders,
        json: linkedinPost("pages", { media: { title: "slides", id: "{urn}" } }),
      },
    ],
    shows: { text: "pages", media: [PDF] },
  },
  {
    network: "linkedin",
    by: "Postiz",
    what: "picture",
    calls: [
      linkedinUpload("images"),
      { call: "PUT {upload}", headers: linkedinHeaders, bytes: "picture" },
      {
        call: "POST /linkedin/rest/posts",
        headers: linkedinHeaders,
        json: linkedinPost("words", { media: { id: "{urn}" } }),
      },
    ],
    shows: { text: "words", media: [JPEG] },
  },
  {
    network: "linkedin",
    by: "Postiz",
    what: "video",
    calls: [
      linkedinUpload("videos", { fileSizeBytes: "{size}", uploadCaptions: false, uploadThumbnail: false }),
      {
        call: "PUT {upload}",
        headers: { ...linkedinHeaders, "content-type": "application/octet-stream" },
        bytes: "video",
        keep: { etag: "header:etag" },
      },
      {
        call: "POST /linkedin/rest/videos",
        query: { action: "finalizeUpload" },
        headers: linkedinHeaders,
        json: { finalizeUploadRequest: { video: "{urn}", uploadToken: "", uploadedPartIds: ["{etag}"] } },
      },
      { call: "GET /linkedin/rest/videos/{urn}", headers: linkedinHeaders, until: ["status", "AVAILABLE"] },
      {
        call: "POST /linkedin/rest/posts",
        headers: linkedinHeaders,
        json: linkedinPost("film", { media: { id: "{urn}" } }),
      },
    ],
    shows: { text: "film", media: [MP4] },
  },
];
