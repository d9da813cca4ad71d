import http from "node:http";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { serverOf } from "./bluesky/testing";
import { connect as connectFacebook, graph, pagesOf } from "./facebook/testing";
import { CLIENT as LINKEDIN, authorizeUrl as linkedinConsent } from "./linkedin/testing";
import { connect as connectPinterest } from "./pinterest/testing";
import { TOKEN as BOT_TOKEN, botOf, link } from "./telegram/testing";
import { areInstalled, client, redirectHttps } from "./testing/clients";
import { gif, jpeg, testMediaServer } from "./testing/media";
import { mp4 } from "./testing/mp4";
import { decide, testSandbox } from "./testing/sandbox";
import { VERIFIER, authorizeUrl as xConsent } from "./x/testing";
import { connect as connectYouTube, CLIENT as GOOGLE } from "./youtube/testing";

/**
 * Each test publishes with a client library that others wrote, against which this project has written nothing. If the sandbox
 * refuses what such a client sends, the sandbox is wrong.
 */
describe.skipIf(!areInstalled)("the sandbox accepts client libraries that others wrote", () => {
  const sandbox = testSandbox();
  const media = testMediaServer();
  let restoreHttps: () => void;
  beforeAll(() => {
    restoreHttps = redirectHttps(sandbox.url);
  });
  afterAll(() => restoreHttps());

  /** The posts that a network shows for a person: text, types of the files and the post that it answers. */
  const shown = async (network: string, account: string) =>
    (await sandbox.posts(network))
      .filter((post) => post.account === account)
      .map(({ text, media: files, replyTo }) => ({
        text,
        media: files.map(({ type }) => type),
        ...(replyTo ? { replyTo } : {}),
      }));

  describe("twitter-api-v2", () => {
    type Posted = { data: { id: string } };
    type V2 = {
      me(): Promise<{ data: { username: string } }>;
      uploadMedia(bytes: Buffer, options: { media_type: string }): Promise<string>;
      createMediaMetadata(id: string, metadata: object): Promise<unknown>;
      tweet(post: object): Promise<Posted>;
      tweetThread(posts: (string | object)[]): Promise<Posted[]>;
      reply(text: string, id: string): Promise<Posted>;
      userTimeline(id: string, options: object): Promise<{ tweets: { text: string }[] }>;
      deleteTweet(id: string): Promise<{ data: { deleted: boolean } }>;
    };
    type Login = { code: string; codeVerifier: string; redirectUri: string };
    type Signed = { client: { v2: V2 }; refreshToken?: string };
    type Clients = {
      TwitterApi: new (
        credentials: string | object,
      ) => {
        v2: V2;
        loginWithOAuth2(login: Login): Promise<Signed>;
        refreshOAuth2Token(token: string): Promise<Signed>;
      };
    };

    async function signedIn(account: string) {
      const { TwitterApi } = client<Clients>("twitter-api-v2");
      const app = new TwitterApi({ clientId: "sandbox-x", clientSecret: "sandbox-x-secret" });
      const back = await decide(xConsent(sandbox), "allow", account);
      const redirectUri = `${back.origin}${back.pathname}`;
      const code = back.searchParams.get("code") ?? "";
      const first = await app.loginWithOAuth2({ code, codeVerifier: VERIFIER, redirectUri });
      return (await app.refreshOAuth2Token(first.refreshToken ?? "")).client.v2;
    }

    test("signs in, refreshes, posts text, a picture with alt text, a video and a thread, reads and deletes", async () => {
      const x = await signedIn("twitterapi");
      expect((await x.me()).data.username).toBe("twitterapi");
      const picture = await x.uploadMedia(await jpeg(), { media_type: "image/jpeg" });
      await x.createMediaMetadata(picture, { alt_text: { text: "A blue square" } });
      await x.tweet({ text: "with a picture", media: { media_ids: [picture] } });
      const animation = await x.uploadMedia(await gif(), { media_type: "image/gif" });
      await x.tweet({ text: "with an animation", media: { media_ids: [animation] } });
      const film = await x.uploadMedia(Buffer.from(mp4()), { media_type: "video/mp4" });
      await x.tweet({ text: "with a video", media: { media_ids: [film] } });
      const [first, second] = await x.tweetThread(["one", "two"]);
      await x.reply("an answer", second?.data.id ?? "");
      expect(await shown("x", "twitterapi")).toEqual([
        { text: "with a picture", media: ["image/jpeg"] },
        { text: "with an animation", media: ["image/gif"] },
        { text: "with a video", media: ["video/mp4"] },
        { text: "one", media: [] },
        { text: "two", media: [], replyTo: first?.data.id },
        { text: "an answer", media: [], replyTo: second?.data.id },
      ]);
      expect(await x.deleteTweet(first?.data.id ?? "")).toEqual({ data: { deleted: true } });
    });
  });

  describe("@googleapis/youtube", () => {
    type Video = { data: { id: string; status: { uploadStatus: string } } };
    type Uploads = {
      channels: { list(wanted: object): Promise<{ data: { items: { id: string }[] } }> };
      videos: {
        insert(video: object): Promise<Video>;
        list(wanted: object): Promise<{ data: { items: { snippet: { title: string } }[] } }>;
      };
      thumbnails: { set(thumbnail: object): Promise<{ data: { items: unknown[] } }> };
    };
    type Clients = {
      youtube(options: object): Uploads;
      auth: { OAuth2: new (options: object) => { setCredentials(tokens: object): void } };
    };

    test("uploads a video with its metadata in one multipart request, sets a thumbnail and lists both", async () => {
      const { youtube, auth } = client<Clients>("@googleapis/youtube");
      const { access_token } = await connectYouTube(sandbox, "googleapis");
      const oauth = new auth.OAuth2({ clientId: GOOGLE.client_id, clientSecret: GOOGLE.client_secret });
      oauth.setCredentials({ access_token });
      const api = youtube({ version: "v3", auth: oauth });
      expect((await api.channels.list({ part: ["id"], mine: true })).data.items).toHaveLength(1);
      const { data } = await api.videos.insert({
        part: ["snippet", "status"],
        notifySubscribers: false,
        requestBody: {
          snippet: { title: "Bells", description: "They ring", tags: ["bells"], categoryId: "22" },
          status: { privacyStatus: "unlisted", selfDeclaredMadeForKids: false },
        },
        media: { mimeType: "video/mp4", body: Readable.from([Buffer.from(mp4())]) },
      });
      await sandbox.control("POST", "youtube/channel", { account: "googleapis", isVerified: true });
      const thumbnail = { mimeType: "image/jpeg", body: Readable.from([await jpeg(1280, 720)]) };
      expect((await api.thumbnails.set({ videoId: data.id, media: thumbnail })).data.items).toHaveLength(1);
      const listed = await api.videos.list({ part: ["snippet", "status"], id: [data.id] });
      expect(listed.data.items).toMatchObject([{ snippet: { title: "Bells" } }]);
      expect(await shown("youtube", "googleapis")).toEqual([{ text: "They ring", media: ["video/mp4"] }]);
    });
  });

  describe("@atproto/api", () => {
    type Written = { uri: string; cid: string };
    type Agent = {
      session?: { did: string };
      login(credentials: object): Promise<unknown>;
      getProfile(of: object): Promise<{ data: { handle: string } }>;
      uploadBlob(bytes: Uint8Array, options: object): Promise<{ data: { blob: object } }>;
      post(record: object): Promise<Written>;
      deletePost(uri: string): Promise<void>;
    };
    type Clients = {
      AtpAgent: new (options: { service: string }) => Agent;
      RichText: new (content: {
        text: string;
      }) => { text: string; facets?: object[]; detectFacets(agent: Agent): Promise<void> };
    };

    test("signs in with an app password, posts text with a mention and a link, a picture and an answer, and deletes", async () => {
      const { AtpAgent, RichText } = client<Clients>("@atproto/api");
      const agent = new AtpAgent({ service: serverOf(sandbox) });
      await agent.login({ identifier: "alice.bsky.test", password: "sand-box7-pass-word" });
      expect((await agent.getProfile({ actor: agent.session?.did })).data.handle).toBe("alice.bsky.test");
      const rich = new RichText({ text: "Hello @bob.bsky.test, see https://example.com/bells and #bells" });
      await rich.detectFacets(agent);
      expect(rich.facets).toHaveLength(3);
      const root = await agent.post({ text: rich.text, facets: rich.facets, langs: ["en"] });
      const { data } = await agent.uploadBlob(await jpeg(), { encoding: "image/jpeg" });
      const images = [{ image: data.blob, alt: "A blue square", aspectRatio: { width: 800, height: 800 } }];
      const answer = await agent.post({
        text: "with a picture",
        embed: { $type: "app.bsky.embed.images", images },
        reply: { root, parent: root },
      });
      await agent.post({ text: "quoting", embed: { $type: "app.bsky.embed.record", record: root } });
      const posts = await shown("bluesky", "alice");
      expect(posts.map(({ text, media: files }) => [text, files])).toEqual([
        [rich.text, []],
        ["with a picture", ["image/jpeg"]],
        ["quoting", []],
      ]);
      await agent.deletePost(answer.uri);
    });
  });

  describe("grammy", () => {
    type Message = { message_id: number };
    type Api = {
      getMe(): Promise<{ username: string }>;
      getChat(id: number): Promise<{ id: number }>;
      sendMessage(chat: number, text: string, more?: object): Promise<Message>;
      sendPhoto(chat: number, photo: unknown, more?: object): Promise<Message>;
      sendVideo(chat: number, video: unknown, more?: object): Promise<Message>;
      sendAnimation(chat: number, animation: unknown, more?: object): Promise<Message>;
      sendDocument(chat: number, document: unknown, more?: object): Promise<Message>;
      sendMediaGroup(chat: number, media: object[], more?: object): Promise<Message[]>;
      deleteMessage(chat: number, id: number): Promise<true>;
    };
    type Clients = {
      Api: new (token: string, options: { apiRoot: string }) => Api;
      InputFile: new (bytes: Uint8Array | URL, name?: string) => object;
      InputMediaBuilder: { photo(file: object, more?: object): object; video(file: object, more?: object): object };
    };

    test("sends a message, a photo, a video, an animation, a document and an album to a channel", async () => {
      const { Api, InputFile, InputMediaBuilder } = client<Clients>("grammy");
      const { publicId } = await link(botOf(sandbox), "grammy");
      const api = new Api(BOT_TOKEN, { apiRoot: `${sandbox.url}/telegram` });
      expect((await api.getMe()).username).toBe("carillon_sandbox_bot");
      expect((await api.getChat(publicId)).id).toBe(publicId);
      const hello = await api.sendMessage(publicId, "<b>Hello</b>", {
        parse_mode: "HTML",
        disable_notification: true,
        protect_content: true,
        link_preview_options: { is_disabled: true },
      });
      const picture = new InputFile(await jpeg(), "picture.jpg");
      const film = new InputFile(mp4(), "film.mp4");
      await api.sendPhoto(publicId, picture, {
        caption: "a photo",
        reply_parameters: { message_id: hello.message_id },
      });
      await api.sendVideo(publicId, film, { caption: "a video", width: 720, height: 1280, supports_streaming: true });
      await api.sendAnimation(publicId, new InputFile(await gif(), "bells.gif"), { caption: "an animation" });
      await api.sendDocument(publicId, new InputFile(await jpeg(), "scan.jpg"), { caption: "a document" });
      await api.sendMediaGroup(publicId, [
        InputMediaBuilder.photo(picture, { caption: "an album" }),
        InputMediaBuilder.video(film),
      ]);
      expect(await shown("telegram", "grammy")).toMatchObject([
        { text: "Hello", media: [] },
        { text: "a photo", media: ["image/jpeg"] },
        { text: "a video", media: ["video/mp4"] },
        { text: "an animation", media: ["image/gif"] },
        { text: "a document", media: ["image/jpeg"] },
        { text: "an album", media: ["image/jpeg", "video/mp4"] },
      ]);
      expect(await api.deleteMessage(publicId, hello.message_id)).toBe(true);
    });
  });

  describe("linkedin-api-client", () => {
    type Answer = { data: never; createdEntityId?: string };
    type Clients = {
      AuthClient: new (
        app: object,
      ) => { exchangeAuthCodeForAccessToken(code: string): Promise<{ access_token: string }> };
      RestliClient: new () => {
        get(call: object): Promise<Answer>;
        action(call: object): Promise<{ data: { value: { uploadUrl: string; image: string } } }>;
        create(call: object): Promise<Answer>;
      };
    };

    test("signs in, posts text and a picture, and reads the member", async () => {
      const { AuthClient, RestliClient } = client<Clients>("linkedin-api-client");
      const back = await decide(linkedinConsent(sandbox), "allow", "restli");
      const redirectUrl = `${back.origin}${back.pathname}`;
      const auth = new AuthClient({ clientId: LINKEDIN.client_id, clientSecret: LINKEDIN.client_secret, redirectUrl });
      const code = back.searchParams.get("code") ?? "";
      const { access_token: accessToken } = await auth.exchangeAuthCodeForAccessToken(code);
      const restli = new RestliClient();
      const member: { sub: string } = (await restli.get({ resourcePath: "/userinfo", accessToken })).data;
      const author = `urn:li:person:${member.sub}`;
      const versionString = "202609";
      const initializeUploadRequest = { owner: author };
      const { data } = await restli.action({
        resourcePath: "/images",
        actionName: "initializeUpload",
        data: { initializeUploadRequest },
        accessToken,
        versionString,
      });
      const sent = await fetch(data.value.uploadUrl, {
        method: "PUT",
        headers: { authorization: `Bearer ${accessToken}` },
        body: new Uint8Array(await jpeg()),
      });
      expect(sent.status).toBe(201);
      const entity = {
        author,
        commentary: "Hello",
        visibility: "PUBLIC",
        distribution: { feedDistribution: "MAIN_FEED", targetEntities: [], thirdPartyDistributionChannels: [] },
        lifecycleState: "PUBLISHED",
        isReshareDisabledByAuthor: false,
      };
      const call = { resourcePath: "/posts", accessToken, versionString };
      const { createdEntityId } = await restli.create({ ...call, entity });
      expect(createdEntityId).toMatch(/^urn:li:(share|ugcPost):\d+$/);
      const content = { media: { id: data.value.image, altText: "A blue square" } };
      await restli.create({ ...call, entity: { ...entity, commentary: "with a picture", content } });
      expect(await shown("linkedin", "restli")).toEqual([
        { text: "Hello", media: [] },
        { text: "with a picture", media: ["image/jpeg"] },
      ]);
    });
  });

  describe("pinterest-node-api", () => {
    type Client = {
      setHost(host: string, port: string, protocol: string): void;
      boards: { list(): Promise<{ items: { id: string }[] }> };
      pins: { create(pin: object): Promise<{ id: string }> };
      media: { register(media: object): Promise<{ media_id: string }>; get(id: string): Promise<{ status: string }> };
    };
    type Clients = { new (token: string): Client; DEFAULT_BASE_PATH: string };

    test("lists boards, registers a video and creates a Pin from an image address and from base64", async () => {
      const Pinterest = client<Clients>("pinterest-node-api");
      Pinterest.DEFAULT_BASE_PATH = "/pinterest/";
      const { access_token } = await connectPinterest(sandbox, "pinterestapi");
      const { hostname, port } = new URL(sandbox.url);
      const api = new Pinterest(access_token);
      api.setHost(hostname, port, "http"); // it waits for a secure connection otherwise
      const agent = http.globalAgent;
      onTestFinished(() => {
        http.globalAgent = agent;
      });
      http.globalAgent = new http.Agent({ keepAlive: false }); // it sends nothing on a connection that is open already
      const [board] = (await api.boards.list()).items;
      const { media_id } = await api.media.register({ media_type: "video" });
      expect((await api.media.get(media_id)).status).toBe("registered");
      const url = media.serve("pin.jpg", await jpeg(), "image/jpeg");
      const pin = { board_id: board?.id, title: "Bells", description: "They ring", link: "https://example.com/" };
      await api.pins.create({ ...pin, media_source: { source_type: "image_url", url } });
      const data = (await jpeg(100, 100)).toString("base64");
      const encoded = { source_type: "image_base64", content_type: "image/jpeg", data };
      await api.pins.create({ ...pin, alt_text: "A blue square", media_source: encoded });
      expect(await shown("pinterest", "pinterestapi")).toEqual([
        { text: "They ring", media: ["image/jpeg"] },
        { text: "They ring", media: ["image/jpeg"] },
      ]);
    });
  });

  describe("facebook-nodejs-business-sdk", () => {
    type Node = { id: string };
    type Page = {
      createFeed(fields: string[], params: object): Promise<Node>;
      createPhoto(fields: string[], params: object): Promise<Node>;
      createVideo(fields: string[], params: object): Promise<Node>;
      getPublishedPosts(fields: string[], params: object): Promise<Node[]>;
    };
    type Clients = { FacebookAdsApi: { init(token: string): unknown }; Page: new (id: string) => Page };

    test("posts a text, a link, photos and a video to a Page, and lists its posts", async () => {
      const { FacebookAdsApi, Page } = client<Clients>("facebook-nodejs-business-sdk");
      const user = graph(sandbox, await connectFacebook(sandbox, "businesssdk"));
      const [own] = await pagesOf(sandbox, user);
      FacebookAdsApi.init(own?.token ?? "");
      const page = new Page(own?.id ?? "");
      // The SDK sends no proof, so its users switch off "Require App Secret".
      await sandbox.control("POST", "facebook/switches", { requiresProof: false });
      await page.createFeed([], { message: "Hello" });
      await page.createFeed([], { message: "a link", link: "https://example.com/bells" });
      const url = media.serve("photo.jpg", await jpeg(), "image/jpeg");
      const photos = [];
      for (const alt_text_custom of ["one", "two"])
        photos.push(await page.createPhoto([], { url, published: false, alt_text_custom }));
      const attached_media = photos.map(({ id }) => ({ media_fbid: id }));
      await page.createFeed([], { message: "an album", attached_media });
      const file_url = media.serve("film.mp4", mp4(), "video/mp4");
      await page.createVideo([], { file_url, description: "a video" });
      expect(await shown("facebook", "businesssdk")).toEqual([
        { text: "Hello", media: [] },
        { text: "a link", media: [] },
        { text: "an album", media: ["image/jpeg", "image/jpeg"] },
        { text: "a video", media: ["video/mp4"] },
      ]);
      expect(await page.getPublishedPosts(["id", "message"], {})).toHaveLength(4);
    });
  });
});
