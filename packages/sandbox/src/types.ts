/** The simulated networks, by the names that their addresses have. */
export type Network =
  | "x"
  | "youtube"
  | "threads"
  | "tiktok"
  | "instagram"
  | "linkedin"
  | "bluesky"
  | "telegram"
  | "facebook"
  | "pinterest";

/** Where to start the networks, and where to keep their state. */
export type StartOptions = {
  /** Absent or 0: a free port. */
  port?: number;
  /**
   * The address to listen on. Absent: this computer only, over IPv4 and IPv6. With any other address, everybody who reaches it can
   * also read and control the sandbox.
   */
  host?: string;
  /** The folder for posts, people and tokens, which outlive a restart there. Absent: a temporary folder that `close` deletes. */
  dir?: string;
};

/** Sandbox networks that run here or elsewhere, and everything that a test can do with them. */
export type Sandbox = {
  /** The address of the sandbox, for example `http://localhost:3010`. In a browser it is a page with the feed of every network. */
  url: string;
  /**
   * The base address of each network, in place of its real hosts: `urls.x` replaces `https://api.x.com`. Bluesky's is an origin,
   * as its protocol requires: that of the data server. Its authorization server is at `url`.
   */
  urls: { [N in Network]: string };
  /** The credentials of the one application that each network knows. Bluesky identifies an application by its own address. */
  applications: Applications;
  people: People;
  faults: Faults;
  clock: Clock;
  posts: Posts;
  calls: Calls;
  /**
   * Does what people, developers and the networks themselves do outside of the API: changes a creator's settings on TikTok, takes
   * a bot out of a Telegram group, retires an API version at LinkedIn.
   * @returns the network's answer: IDs of what was created, or nothing
   * @throws SandboxError for wrong values, with the reason
   */
  change<N extends keyof Changes, W extends keyof Changes[N] & string>(
    network: N,
    what: W,
    values: Changes[N][W],
  ): Promise<Record<string, string>>;
  /** Forgets posts, uploads, faults, calls and switches. Keeps people, their consents and the clock. */
  reset(): Promise<void>;
};

/** Networks that this process started. */
export type RunningSandbox = Sandbox & {
  port: number;
  /** Ends all connections and deletes the temporary folder. */
  close(): Promise<void>;
};

type OAuthApplication = { clientId: string; clientSecret: string };

export type Applications = { [N in Exclude<Network, "bluesky" | "telegram">]: OAuthApplication } & {
  /** The bot, and the app password of every person on Bluesky. */
  telegram: { botToken: string; botUsername: string };
  bluesky: { appPassword: string };
};

/** A person on a network. `name` has at most 15 characters: a–z, 0–9 and _. On Bluesky, the handle is `<name>.bsky.test`. */
export type Person = { name: string; displayName: string };

export type People = {
  /** The people of a network: alice, bob, carol and dave, and whoever else signed in. */
  list(network: Network): Promise<Person[]>;
  /**
   * Signs a person in at an authorization address of your application and presses Allow, without a browser.
   * @param authorizeUrl the address to which your application sends the browser
   * @returns the redirect back to your application, with `code` and `state`
   * @throws SandboxError if the network shows an error instead of redirecting, or the address is not one of the sandbox
   */
  allow(authorizeUrl: string | URL, options?: ConsentOptions): Promise<URL>;
  /** Like `allow`, but the person presses Deny. */
  deny(authorizeUrl: string | URL): Promise<URL>;
  /**
   * Presses Start in the chat with the Telegram bot and makes the bot an administrator of the person's channels. If the bot asks
   * a question with buttons then, the person presses the first one.
   */
  startBot(options: {
    person?: string;
    /** The part of `t.me/<bot>?start=<code>` that tells whose account this is. */
    code: string;
    channels?: ("public" | "private")[];
  }): Promise<void>;
};

export type ConsentOptions = {
  /** Absent: alice. A new name becomes a new person. */
  person?: string;
  /** Permissions that the person declines, by the network's own names. TikTok, Facebook, Instagram and others allow this. */
  without?: string[];
  /** A failure after Allow, for this sign-in only. */
  outcome?: ConsentOutcome;
};

/** `token_html`: a web page instead of a token. `no_answer`: the token was issued, but the answer is lost. */
export type ConsentOutcome =
  | "slow"
  | "invalid_grant"
  | "token_error"
  | "token_html"
  | "no_answer"
  | "rate_limit"
  | "redirect"
  | "no_refresh_token"
  | "profile_error";

/** What a call does, whatever it is called on the network. `publish` is the call that makes a post public. */
export type Operation =
  | "authorize"
  | "token"
  | "refresh"
  | "profile"
  | "destinations"
  | "upload"
  | "prepare"
  | "status"
  | "publish";

type Target<N extends Network = Network> = {
  network: N;
  /** `*`: any operation. */
  operation: Operation | "*";
  /** Only calls with a token of this person. Tests that run at the same time set it, so that none meets the fault of another. */
  account?: string;
  /** How often the fault happens. Default: 1. */
  times?: number;
  /** Only every n-th matching call. Default: 1. */
  every?: number;
};

type Timed = { afterSeconds?: number };

/** A failure that the next matching call of a network meets. */
export type Fault =
  /** The network does its work, then the connection ends without an answer. */
  | (Target & { fault: "drop_response" })
  /** The network does its work and answers after `afterSeconds` (default: 5). */
  | (Target & Timed & { fault: "late_response" })
  /** The network does its work and sends half of the answer. */
  | (Target & { fault: "cut_body" })
  /** The connection ends before the network does anything. */
  | (Target & { fault: "refuse" })
  /** The network's own answer for an internal error, after `afterSeconds` (default: at once). */
  | (Target & Timed & { fault: "http_500" })
  /** A gateway's web page instead of an answer. */
  | (Target & { fault: "http_502_html" })
  /** The network's own rate limit. Networks that say when to retry say `afterSeconds` (default: 60). */
  | (Target & Timed & { fault: "rate_limit" })
  /** The call waits for `afterSeconds` (default: 2) before the network does anything. */
  | (Target & Timed & { fault: "slow" })
  /** The person's token is revoked just before the call. */
  | (Target & { fault: "revoke_token" })
  /** The network accepts the file, and its processing fails. */
  | (Target & { fault: "processing_fails" })
  /** The post is refused as a duplicate. Instagram and Threads publish it and answer "action blocked". YouTube rejects the video. */
  | (Target<"x" | "linkedin" | "facebook" | "instagram" | "threads" | "youtube"> & { fault: "duplicate" })
  /** A redirect to another host. Following it is recorded as a call with the operation `elsewhere`. */
  | (Target & { fault: "redirect_elsewhere" })
  /** The code, the refresh token or the access token is refused. */
  | (Target & { fault: "invalid_grant" })
  /** The answer with the tokens has no refresh token. */
  | (Target & { fault: "no_refresh_token" })
  /** The network refuses the application itself, whoever the person is. X has several refusals: name one in `reason`. */
  | (Target & { fault: "operator"; reason?: string })
  /** The answer is compressed, whatever the request accepts. */
  | (Target & { fault: "gzip" })
  /** The answer has fields that are not documented. */
  | (Target & { fault: "unknown_fields" })
  /** The answer has no permalink yet. */
  | (Target<"facebook" | "instagram" | "threads"> & { fault: "late_permalink" })
  /** Another size of the parts of an upload is wanted. */
  | (Target<"tiktok"> & { fault: "chunk_size" })
  /** The upload session has ended. */
  | (Target<"youtube"> & { fault: "gone" })
  /** The authorization server is older than granular scopes. */
  | (Target<"bluesky"> & { fault: "no_granular_scopes" })
  /** The exchange for a long-lived token returns one that lasts `afterSeconds` (default: a day). */
  | (Target<"facebook"> & Timed & { fault: "not_extended" })
  /** The video is "processing" until it is published. */
  | (Target<"facebook"> & { fault: "stuck_processing" })
  /** The upload is complete only after some status reads. */
  | (Target<"facebook"> & { fault: "late_upload" })
  /** The uploaded file is not known yet to the call that posts it. */
  | (Target<"linkedin"> & { fault: "file_unknown" })
  /** The new post cannot be read yet. */
  | (Target<"linkedin"> & { fault: "no_activity" })
  /** The token is refused as revoked, because the server that is asked does not know it yet. */
  | (Target<"linkedin"> & { fault: "token_unknown" });

/** The names of all faults. */
export type FaultName = Fault["fault"];

export type Faults = {
  /** Adds a fault. It waits for the next call that it matches. */
  add(fault: Fault): Promise<void>;
  /** The faults that still wait for a call. An empty list tells a test that its fault happened. */
  list(): Promise<Fault[]>;
  clear(): Promise<void>;
};

/** The sandbox's own clock: token lifetimes, processing times and rate limits depend on it. */
export type Clock = {
  now(): Promise<Date>;
  /** Moves the clock forward and wakes everything that was waiting for the skipped time. Returns the new time. */
  advance(seconds: number): Promise<Date>;
};

export type Media = {
  /** The type that the bytes show, for example `image/jpeg`. */
  type: string;
  sizeBytes: number;
  sha256: string;
};

/** A published post as the network stores it. */
export type Post<N extends Network = Network> = {
  [Each in N]: {
    id: string;
    network: Each;
    /** The name of the person who posted it. */
    account: string;
    text: string;
    media: Media[];
    /** The chat on Telegram, the Page on Facebook, the board on Pinterest. */
    chatId?: string;
    /** The ID of the post that this one answers: an earlier post of a thread, or the post of a first comment. */
    replyTo?: string;
    settings: Settings[Each];
    permalink: string;
    /** By the sandbox's clock, ISO 8601. */
    receivedTime: string;
  };
}[N];

type AltTexts = (string | null)[];

/** What was posted besides text and files, by the network's own names. Everything may be absent. */
export type Settings = {
  x: {
    altTexts?: AltTexts;
    reply_settings?: string;
    made_with_ai?: boolean;
    quote_tweet_id?: string;
    poll?: Record<string, unknown>;
    [field: string]: unknown;
  };
  youtube: {
    title?: string;
    categoryId?: string;
    privacyStatus?: "public" | "unlisted" | "private";
    selfDeclaredMadeForKids?: boolean;
    containsSyntheticMedia?: boolean;
    notifySubscribers?: false;
    tags?: string[];
    captions?: { language: string; name: string; text: string }[];
    thumbnail?: Media;
  };
  threads: {
    media_type?: "TEXT_POST" | "IMAGE" | "VIDEO" | "CAROUSEL_ALBUM";
    topic_tag?: string;
    reply_control?: string;
    quote_post_id?: string;
    poll_attachment?: Record<string, string>;
    link_attachment?: string;
    location_id?: string;
    altTexts?: AltTexts;
  };
  tiktok: {
    /** Of photos. */
    title?: string;
    is_draft?: true;
    privacy_level?: string;
    publish_id?: string;
    [field: string]: unknown;
  };
  instagram: {
    media_type?: "IMAGE" | "VIDEO" | "REELS" | "STORIES" | "CAROUSEL";
    media_product_type?: "FEED" | "REELS" | "STORY";
    alt_text?: string;
    alt_texts?: AltTexts;
    share_to_feed?: boolean;
    is_ai_generated?: boolean;
    [field: string]: unknown;
  };
  linkedin: {
    visibility?: string;
    /** The page that posted, if it was not the member. */
    author?: string;
    article?: Record<string, unknown>;
    thumbnail?: Media;
    title?: string;
    altTexts?: AltTexts;
  };
  bluesky: {
    createdAt?: string;
    langs?: string[];
    facets?: unknown[];
    embed?: Record<string, unknown>;
    /** The first post of the thread. */
    root?: string;
    /** Who can reply. */
    allow?: unknown[];
    [field: string]: unknown;
  };
  telegram: {
    disable_notification?: boolean;
    protect_content?: boolean;
    supports_streaming?: boolean;
    show_caption_above_media?: boolean;
    has_spoiler?: boolean;
    parse_mode?: string;
    cover?: string;
    link_preview_options?: unknown;
    entities?: unknown[];
  };
  facebook: {
    kind?: "status" | "photo" | "album" | "video" | "reel" | "story";
    link?: string;
    place?: string;
    callToAction?: unknown;
    altTexts?: AltTexts;
    /** The SHA-256 of a video's cover. */
    cover?: string;
  };
  pinterest: {
    title?: string;
    link?: string;
    altText?: string;
    boardSectionId?: string;
    dominantColor?: string;
    cover?: unknown;
    keyFrame?: unknown;
    coverIndex?: number;
    /** With trial access, a Pin is visible only to its creator. */
    visibleTo?: string;
  };
};

export type PostFilter<N extends Network> = { network?: N; account?: string };

export type Posts = {
  /** The posts of one network or of all, in order of arrival. Deleted posts are not listed. */
  list<N extends Network>(filter?: PostFilter<N>): Promise<Post<N>[]>;
  /**
   * Waits for a post, because publishing usually ends after the call that began it.
   * @param filter `matching` chooses among the posts; absent: the first one
   * @throws SandboxError after `timeoutSeconds` (default: 10), with the posts that did arrive
   */
  waitFor<N extends Network>(
    filter?: PostFilter<N> & { matching?: (post: Post<N>) => boolean; timeoutSeconds?: number },
  ): Promise<Post<N>>;
  /** The bytes of a file of a post, as the network received them. */
  file(media: Media): Promise<Uint8Array>;
};

/** A request that reached a network. It contains no secrets. */
export type Call = {
  time: string;
  network: Network;
  /** Besides the operations of faults: `revoke`, `delete`, `elsewhere` and `other`. */
  operation: Operation | "revoke" | "delete" | "elsewhere" | "other";
  method: string;
  path: string;
  /** 0: no complete response was sent. */
  status: number;
  account?: string;
};

export type Calls = {
  /** The requests that reached one network or all, in order of arrival. */
  list(filter?: { network?: Network; account?: string }): Promise<Call[]>;
};

/** What can be changed outside of the API. `switches` sets what it names and puts everything else back to its default. */
export type Changes = {
  x: {
    switches: {
      /** Whether the application's account has credits. Without credits every call fails. */
      credits?: boolean;
      fieldLists?: "both" | "post.fields" | "tweet.fields";
      /** Whether the application has an Enterprise plan, with which it may quote posts. */
      enterprise?: boolean;
      /** The `subscription_type` of all people. */
      subscription?: "None" | "Basic" | "Premium" | "PremiumPlus";
      weighsLongerTexts?: boolean;
      /** How long refresh tokens last. */
      refreshSeconds?: number;
      revocationHasBody?: boolean;
      denialHasError?: boolean;
      refusesMentions?: boolean;
      acceptsBlankTexts?: boolean;
      cashtagStatus?: 400 | 403;
      postsPerDay?: number;
      /** How many posts of a timeline's page are reposts. They count in `max_results` even if they are excluded. */
      repostsPerPage?: number;
      /** How long a text that was posted is refused. */
      duplicateSeconds?: number;
      duplicatesIgnoreMedia?: boolean;
    };
  };
  youtube: {
    channel: { account: string; exists?: boolean; isVerified?: boolean; uploadsPerDay?: number };
    playlist: { account: string; id: string; title?: string; isFull?: boolean };
    project: { insertsPerDay?: number; unitsPerDay?: number };
    switches: {
      verifiesPkce?: boolean;
      /** How long an upload session lasts. */
      sessionSeconds?: number;
      uploadsNeedToken?: boolean;
      minThumbnailWidth?: number;
      maxVideoBytes?: number;
      tooLargeStatus?: 400 | 413;
    };
  };
  threads: {
    switches: {
      /** How long after its publication a post cannot be replied to. */
      replyAfterSeconds?: number;
      linkLimitIn?: "message" | "title";
      locationsBy?: "q" | "query";
      locationsApproved?: boolean;
      requiresProof?: boolean;
      quotaCode?: "9/2207042" | "4/2207042" | "613";
      quotaReadable?: boolean;
      publishedShowsAfterReads?: number;
      postsPerDay?: number;
      /** How many posts of a list's page are left out, for example for their privacy. They count in `limit`. */
      hiddenPerPage?: number;
    };
  };
  tiktok: {
    creator: {
      account: string;
      isPrivate?: boolean;
      commentDisabled?: boolean;
      duetDisabled?: boolean;
      stitchDisabled?: boolean;
      /** The longest video of this creator. */
      maxSeconds?: number;
      isBanned?: boolean;
    };
    /** The application's registration: its audit, the hosts it may name for files, and where webhooks go. */
    app: { isAudited?: boolean; verifiedHosts?: string[]; webhookUrl?: string };
    /** A person removes the application: the tokens end, and the webhook gets an event. */
    remove: { account: string; reason?: number };
    switches: {
      accessSeconds?: 7200 | 86400;
      missedScopeStatus?: 401 | 403;
      denialHasErrCode?: boolean;
      tokenTrouble?: "" | "server_error" | "temporarily_unavailable";
      fieldsWithoutScope?: "error" | "omitted";
      photoAddress?: "photo" | "video";
      photoLimit?: "both sides" | "shorter side";
      /** The largest chunk, and the largest video in one chunk. */
      maxChunkBytes?: 67108864 | 64000000;
    };
  };
  instagram: {
    switches: {
      imageRatioMin?: number;
      storiesTakeAiLabel?: boolean;
      storiesRefuseCaptions?: boolean;
      requiresProof?: boolean;
      /** The longest video in a carousel. */
      maxChildSeconds?: number;
      captionUnit?: "code points" | "UTF-16 units";
      /** The answer to a container that was published before. */
      publishedAgain?: "error" | "id";
      publishedShowsAfterReads?: number;
      mayReadPublicPages?: boolean;
      /** How many posts of a list's page are left out, for example for their privacy. They count in `limit`. */
      hiddenPerPage?: number;
    };
  };
  linkedin: {
    /** Gives a member a role on a company page. `id` has digits only. */
    page: { account: string; id: string; name: string; role?: string };
    switches: {
      idHeader?: "x-restli-id" | "x-linkedin-id";
      /** Approved partners get refresh tokens. */
      refreshTokens?: boolean;
      /** An API version that is retired, for example `202509`. */
      retired?: string;
      statusForbidden?: boolean;
      imagesReadable?: boolean;
      escapesCount?: boolean;
      textUnit?: "UTF-16 units" | "code points";
      refusesOddVideos?: boolean;
      callsPerDay?: number;
      uploadsCount?: boolean;
      /** The words of the refusal of wrong credentials. */
      clientRefusal?: string;
      errorDetails?: "none" | "list" | "object";
      duplicatesIgnoreMedia?: boolean;
      /** The newest API version that exists, for example `202610`. */
      newestVersion?: string;
      /** How long an image is processed after its upload. */
      imageSeconds?: number;
    };
  };
  bluesky: {
    account: {
      account: string;
      alias?: string;
      isEmailUnconfirmed?: boolean;
      isOnOldServer?: boolean;
      status?: "takendown" | "deactivated" | null;
    };
    "revoke-app-password": { account: string };
    switches: { maxVideoSeconds?: number; maxVideoBlobBytes?: number };
  };
  telegram: {
    "remove-bot": { chatId: string; status?: "kicked" | "left" };
    "make-group": { person: string; title: string };
    "upgrade-group": { chatId: string };
    /** What the bot may not send: `photos`, `videos`, `text messages`. */
    "restrict-bot": { chatId: string; denied: string[] };
    /** Whether the bot gets its own posts in a channel as updates. */
    switches: { sendsOwnPosts?: boolean };
  };
  facebook: {
    "change-password": { account: string };
    "open-business": { account: string; isLocked?: boolean };
    "leave-page": { account: string; page: string };
    switches: {
      /** Whether every call with a token needs its `appsecret_proof`. */
      requiresProof?: boolean;
      videoLinkHasHost?: boolean;
      /** Whether `auth_type=rerequest` asks again for declined permissions. */
      asksAgain?: boolean;
      proofCode?: 100 | 190;
      codesHaveSubcodes?: boolean;
      secretCode?: 1 | 101;
      maxPhotos?: number;
      textUnit?: "UTF-16 units" | "code points";
      maxVideoBytes?: number;
      formatCode?: 352 | 1363024;
      /** The answer to a video that is finished a second time. */
      finishedAgain?: "success" | "error";
      finishShowsAfterReads?: number;
      mayReadPublicPages?: boolean;
      /** How many posts of a list's page are left out, for example for their privacy. They count in `limit`. */
      hiddenPerPage?: number;
    };
  };
  pinterest: {
    "delete-board": { account: string; board: string };
    switches: {
      /** The application is not activated yet. */
      pending?: boolean;
      /** Trial access: few calls a day, and Pins are visible only to their creator. */
      trial?: boolean;
      /** The spam filter blocks every new Pin. */
      spam?: boolean;
      listedAfterSeconds?: number;
      newestFirst?: boolean;
      carousels?: boolean;
      maxBase64Bytes?: number;
      tooLongStatus?: 400 | 413;
      scopeSeparator?: " " | ",";
      resetIsUnixTime?: boolean;
      denialHasError?: boolean;
      keyFrameIsCover?: boolean;
      usedRefreshWorks?: boolean;
      refusedRefresh?: "401/283" | "400/283" | "401/2" | "400/1";
      /** How long the policy of an upload lasts. */
      policySeconds?: number;
      textUnit?: "code points" | "UTF-16 units";
      refusesOddImages?: boolean;
      maxFrameRate?: number;
      usableAfterSeconds?: number;
      notReadyMessage?: string;
    };
  };
};
