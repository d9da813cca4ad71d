/** The texts of the documentation, around the files of docs/ and the OpenAPI document. */
export const docsWords = {
  quickstart: "A first post in five minutes",
  gettingStarted: "Getting started",
  sdk: "TypeScript SDK",
  python: "Python",
  cli: "Command line",
  automation: "GitHub Actions and n8n",
  connectEmbedded: "Connecting in your page",
  mcp: "AI agents",
  feeds: "Feeds and your calendar",
  csv: "Posts from a file",
  sandbox: "Sandbox networks",
  changes: "Changes",
  reference: "API reference",
  overview: "Overview",
  /** The first group of the sidebar: guides and tables. */
  start: "Start",
  /** Beside the brand. */
  api: "API",
  /** The links of the header, and its name for screen readers. */
  parts: "Parts of the documentation",
  guides: "Guides",
  calls: "Reference",
  dashboard: "Open dashboard",
  /** Opens the sidebar on a phone. */
  menu: "All calls",
  close: "Close",
  skip: "Skip to the content",
  search: "Search the reference",
  results: "Search results",
  resultsFor: (count: number, query: string) =>
    count === 0
      ? `Nothing matches “${query}”. Try fewer words or a part of the path.`
      : `${count} ${count === 1 ? "match" : "matches"} for “${query}”`,
  noPage: "Page not found",
  noPageAbout: "This page doesn't exist. Search for a call or choose one in the sidebar.",
  /** The name of the navigation for screen readers. */
  documentation: "Documentation",
  onThisPage: "On this page",

  forPrograms: "The same for programs: {openApi}, {postman} and, for language models, {models}.",
  openApi: "OpenAPI 3.1",
  openApiAbout: "every call with its parameters, bodies, answers and errors, as JSON",
  postman: "Postman collection",
  postmanAbout: "the requests of all examples",
  /** The first paragraph of /llms.txt, and what its links lead to. */
  forModels:
    "Carillon publishes and schedules posts to ten social networks through one API: X, YouTube, Threads, TikTok, Instagram, LinkedIn, Bluesky, Telegram, Facebook and Pinterest. A call needs an access token in the header Authorization: Bearer.",
  webhooksForModels: "the events that Carillon sends, and how to verify them",
  shapesForModels: "the objects of requests and answers, field by field",
  webhooks: "Webhook events",
  networks: "Networks",
  networksAbout:
    "Checked when you create a post, so that little is left to fail later. Text is counted as each network counts it. An MB has 1,048,576 bytes, and a GB has 1,024 MB. Sides are in pixels, and ratios are width divided by height.",
  shapes: "Shapes",
  /** A shape among the results of a search. */
  shape: (name: string) => `${name} (shape)`,
  /** Links to the network's own documentation of a limit. */
  source: "source",
  /** `field` is the field that tells the variants apart. */
  oneOf: "One of {types}, by {field}.",

  /** In Markdown. */
  webhooksAbout:
    'Each is a POST of `{ "type": …, "timestamp": …, "data": … }`, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. Verify it with one of its libraries over the body as it came, then answer 2xx:',
  events: "Events",
  whatHappened: "What has happened",

  /** The column headings of the tables. */
  type: "Type",
  body: "Body",
  format: "Format",
  limits: "Limits",

  required: "required",
  /** Between two alternative types or values. */
  or: " or ",
  arrayOf: "array of {type}",
  /** The bounds of a number; `characters` and `entries` add the unit. */
  between: (min: string, max: string) => `${min} to ${max}`,
  atMost: (max: string) => `at most ${max}`,
  atLeast: (min: string) => `at least ${min}`,
  characters: (howMany: string) => `${howMany} characters`,
  entries: (howMany: string) => `${howMany} entries`,
  usually: (value: string) => `default ${value}`,

  needsNothing: "Needs no access token.",
  needs: "Needs {token}.",
  partnersToken: "a partner's token",
  needsScope: "Needs the scope {scope}.",
  parameters: "Parameters",
  /** Where a parameter is. Headers have a list of their own. */
  places: { path: "in the path", query: "in the query" },
  headers: "Headers",
  example: "Example",
  answer: "Answer",
  noBody: "No body",
  /** The languages of the examples; `language` names the choice between them. */
  language: "Language",
  languages: { curl: "curl", node: "Node", python: "Python" },
  tryIt: "Try it",
  /** What Try it does and for whom; `tryThis` leads there. */
  tryEffects: {
    reads: "Opens in the dashboard with this call filled in. It acts for you and changes nothing.",
    changes: "Opens in the dashboard with this call filled in. It acts for you, and what you change is really changed.",
  },
  tryPublishing: (realNetworks: string[]) =>
    realNetworks.length === 0
      ? "Opens in the dashboard with this call filled in. It acts for you. The networks here are simulated: no post leaves this installation."
      : `Opens in the dashboard with this call filled in. It acts for you. It publishes on ${new Intl.ListFormat("en").format(realNetworks)} only if you tick “Publish for real”.`,
  tryThis: "Try this call",
  /** In its place at a call that a person cannot make with the dashboard's session. */
  tryAsPartner:
    "It needs a partner’s token, so it cannot be tried in the dashboard. Send the example from your server.",
  tryWithoutToken: "It needs no access token. Send the example from a terminal.",
  errors: "Errors",

  platform: "Platform {platform}, settings {settings}.",
  several: (max: number) => `A post may have up to ${max} parts.`,
  severalAsThread: (max: number) => `A post may have up to ${max} parts, as a thread.`,
  destination: "Posts go to a destination, named by {field}.",
  takes: (network: string) => `What ${network} takes`,
  atMostMb: (size: string) => `at most ${size} MB`,
  atMostGb: (size: string) => `at most ${size} GB`,
  atLeastKb: (size: number) => `at least ${size} KB`,
  sentAs: (facts: string) => `sent as ${facts}`,
  from: (min: string) => `from ${min}`,
  to: (max: string) => `to ${max}`,
  fromTo: (min: string, max: string) => `from ${min} to ${max}`,
  million: (count: number) => `${count} million`,
  /** Limits whose name in the API is hard to read, by that name. */
  readable: {
    min: (count) => `at least ${count}`,
    max: (count) => `at most ${count}`,
    unit: (unit) => `counted in ${unit}`,
    bytes: (count) => `at most ${count} bytes`,
    hashtags: (count) => `hashtags to ${count}`,
    mentions: (count) => `mentions to ${count}`,
    cashtags: (count) => `cashtags to ${count}`,
    links: (count) => `links to ${count}`,
    maxWidth: (pixels) => `at most ${pixels} pixels wide`,
    maxPixels: (pixels) => `at most ${pixels} pixels`,
    maxSideSum: (pixels) => `width and height together at most ${pixels} pixels`,
    maxFrames: (count) => `at most ${count} frames`,
    maxFramePixels: (pixels) => `at most ${pixels} pixels in all frames`,
  } as { [name: string]: ((value: string) => string) | undefined },
} as const;

/** The guides, which are files of `docs/`. */
export const guides: { [name: string]: string } = {
  quickstart: docsWords.quickstart,
  "getting-started": docsWords.gettingStarted,
  sdk: docsWords.sdk,
  python: docsWords.python,
  cli: docsWords.cli,
  automation: docsWords.automation,
  "connect-embedded": docsWords.connectEmbedded,
  mcp: docsWords.mcp,
  feeds: docsWords.feeds,
  csv: docsWords.csv,
  sandbox: docsWords.sandbox,
  changes: docsWords.changes,
};
