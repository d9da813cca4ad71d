/** The texts of the documentation, around the files of docs/ and the OpenAPI document. */
export const docsWords = {
  gettingStarted: "Getting started",
  csv: "Posts from a file",
  reference: "API reference",
  skip: "Skip to the text",
  /** The name of the navigation for screen readers. */
  documentation: "Documentation",
  onThisPage: "On this page",

  forPrograms: "The same as a document for programs: {link}.",
  openApi: "OpenAPI 3.1",
  webhooks: "What webhooks are sent",
  networks: "Networks",
  networksAbout:
    "Checked when a schedule is created, so that little is left to fail later. Text is counted as each network counts it, sizes are in MB of 1,048,576 bytes, sides in pixels, ratios are width divided by height.",
  shapes: "Shapes",
  /** `field` is the field that tells the variants apart. */
  oneOf: "One of {types}, by {field}.",

  /** In Markdown. */
  webhooksAbout:
    'Each is a POST of `{ "type": …, "timestamp": …, "data": … }`, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. Verify it with one of its libraries over the body as it came, then answer 2xx:',
  events: "Events",
  whatHappened: "What has happened",

  /** The column headings of the tables. */
  name: "Name",
  /** Where a parameter is: the path, the query or a header. */
  place: "In",
  field: "Field",
  type: "Type",
  meaning: "What it is",
  status: "Status",
  when: "When",
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
  sends: "Body: {types}",
  sendsShape: "Body: {types}, {shape}",
  example: "Example",
  refusals: "Refusals",
  refuses: "What it refuses",

  platform: "Platform {platform}, settings {settings}.",
  several: (max: number) => `Up to ${max} posts in a publication.`,
  severalAsThread: (max: number) => `Up to ${max} posts in a publication, as a thread.`,
  destination: "Posts go to a destination, named by {field}.",
  takes: (network: string) => `What ${network} takes`,
  atMostMb: (size: number) => `at most ${size} MB`,
  atLeastKb: (size: number) => `at least ${size} KB`,
  sentAs: (facts: string) => `sent as ${facts}`,
  from: (min: number) => `from ${min}`,
  to: (max: number) => `to ${max}`,
  fromTo: (min: number, max: number) => `from ${min} to ${max}`,
} as const;
