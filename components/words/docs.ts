/** The texts of the documentation around what is written in `docs/` and what the OpenAPI document says. */

export const gettingStarted = "Getting started";
export const csv = "Posts from a file";
export const reference = "API reference";
export const skip = "Skip to the text";
/** What the ways to the pages are called by readers of the screen. */
export const documentation = "Documentation";
export const onThisPage = "On this page";

export const forPrograms = "The same as a document for programs: {link}.";
export const openApi = "OpenAPI 3.1";
export const webhooks = "What webhooks are sent";
export const networks = "Networks";
export const networksAbout =
  "Checked when a schedule is created, so that little is left to fail later. Text is counted as each network counts it, sizes are in MB of 1,048,576 bytes, sides in pixels, ratios are width divided by height.";
export const shapes = "Shapes";
/** `field` says which of them it is. */
export const oneOf = "One of {types}, by {field}.";

/** In Markdown. */
export const webhooksAbout =
  'Each is a POST of `{ "type": …, "timestamp": …, "data": … }`, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. Verify it with one of its libraries over the body as it came, then answer 2xx:';
export const events = "Events";
export const whatHappened = "What has happened";

/** The heads of the tables. */
export const name = "Name";
/** Where a parameter stands: the path, the query or a header. */
export const place = "In";
export const field = "Field";
export const type = "Type";
export const meaning = "What it is";
export const status = "Status";
export const when = "When";
export const body = "Body";
export const format = "Format";
export const limits = "Limits";

export const required = "required";
/** Between two types or values, of which one is given. */
export const or = " or ";
export const arrayOf = "array of {type}";
/** How large a number may be; `characters` and `entries` put behind it what is counted. */
export const between = (min: string, max: string) => `${min} to ${max}`;
export const atMost = (max: string) => `at most ${max}`;
export const atLeast = (min: string) => `at least ${min}`;
export const characters = (howMany: string) => `${howMany} characters`;
export const entries = (howMany: string) => `${howMany} entries`;
export const usually = (value: string) => `default ${value}`;

export const needsNothing = "Needs no access token.";
export const needs = "Needs {token}.";
export const partnersToken = "a partner's token";
export const needsScope = "Needs the scope {scope}.";
export const parameters = "Parameters";
export const sends = "Body: {types}";
export const sendsShape = "Body: {types}, {shape}";
export const example = "Example";
export const refusals = "Refusals";
export const refuses = "What it refuses";

export const platform = "Platform {platform}, settings {settings}.";
export const several = (max: number) => `Up to ${max} posts in a publication.`;
export const severalAsThread = (max: number) => `Up to ${max} posts in a publication, as a thread.`;
export const destination = "Posts go to a destination, named by {field}.";
export const takes = (network: string) => `What ${network} takes`;
export const atMostMb = (size: number) => `at most ${size} MB`;
export const atLeastKb = (size: number) => `at least ${size} KB`;
export const sentAs = (facts: string) => `sent as ${facts}`;
export const from = (min: number) => `from ${min}`;
export const to = (max: number) => `to ${max}`;
export const fromTo = (min: number, max: number) => `from ${min} to ${max}`;
