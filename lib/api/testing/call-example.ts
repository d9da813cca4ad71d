import type { Things } from "./things";

/** One call of a route. A body that is neither a form nor text is sent as JSON. */
export type ExampleCall = {
  params?: { [name: string]: string | number };
  query?: string;
  body?: object | string;
  sendsKey?: true;
  headers?: { [name: string]: string };
};

/**
 * How to call a route with one's own things, and its status. If it takes an ID: the same call with someone else's ID in its
 * place, and the expected answer, in which `{id}` stands for that ID.
 */
export type CallExample = {
  call(mine: Things): ExampleCall;
  answers: number;
  /** A partner's own call that also names a user. */
  forUser?: true;
  naming?: { [what: string]: Naming };
};
export type Naming = {
  call(mine: Things, theirs: Things): ExampleCall;
  id(theirs: Things): string | number;
  answers: [status: number, body: unknown];
};

export const notFound = (what: string): [number, unknown] => [404, { error: `${what} not found: {id}` }];

/** A route that names the thing only in its path. */
export function exampleOf(
  what: string,
  answers: number,
  id: (things: Things) => string | number,
  rest: (mine: Things) => ExampleCall = () => ({}),
  name = "id",
): CallExample {
  const call = (mine: Things, theirs: Things) => ({ ...rest(mine), params: { [name]: id(theirs) } });
  return { call: (mine) => call(mine, mine), answers, naming: { [what]: { call, id, answers: notFound(what) } } };
}

export const EXAMPLE_TIME = "2030-01-01T12:00:00Z";

export function scheduleBody(mine: Pick<Things, "accountId">, post: object = { content: "a" }) {
  const platformSettings = { type: "TWITTER" };
  const publications = [{ socialMediaAccountId: mine.accountId, platformSettings, posts: [post] }];
  return { scheduledTime: EXAMPLE_TIME, publications };
}

export function feedBody(mine: Pick<Things, "accountId">) {
  return { url: "https://example.invalid/feed.xml", template: { publications: scheduleBody(mine).publications } };
}

function message(telegramId: number, chatId: string) {
  const platformSettings = { type: "TELEGRAM" };
  const publications = [{ socialMediaAccountId: telegramId, platformSettings, posts: [{ content: "a", chatId }] }];
  return { scheduledTime: EXAMPLE_TIME, publications };
}

type Place = { path: string; message: string; body(mine: Things, theirs: Things): object; id: Naming["id"] };

/** Every place of an ID in a schedule's bodies. */
const places: { [what: string]: Place } = {
  "an account": {
    path: "publications[0].socialMediaAccountId",
    message: "is not one of this user's accounts: {id}",
    body: (_, theirs) => scheduleBody(theirs),
    id: ({ accountId }) => accountId,
  },
  "an account in the flat body": {
    path: "accountId",
    message: "is not one of this user's X_TWITTER accounts: {id}",
    body: (_, { accountId }) => ({ platform: "X_TWITTER", accountId, content: "a", scheduledTime: EXAMPLE_TIME }),
    id: ({ accountId }) => accountId,
  },
  "a file": {
    path: "publications[0].posts[0].attachmentPaths[0]",
    message: "is not a storage key of this user's media: {id}",
    body: (mine, { mediaPath }) => scheduleBody(mine, { content: "a", attachmentPaths: [mediaPath] }),
    id: ({ mediaPath }) => mediaPath,
  },
  "a thumbnail": {
    path: "publications[0].posts[0].thumbnailPath",
    message: "is not a storage key of this user's media: {id}",
    body: (mine, { mediaPath }) => scheduleBody(mine, { content: "a", thumbnailPath: mediaPath }),
    id: ({ mediaPath }) => mediaPath,
  },
  "a chat": {
    path: "publications[0].posts[0].chatId",
    message: "is not a destination of this Telegram account: {id}",
    body: ({ telegramId }, { chatId }) => message(telegramId, chatId),
    id: ({ chatId }) => chatId,
  },
};

export function inBodies(
  answers: (path: string, message: string) => [number, unknown],
  params: (mine: Things) => ExampleCall["params"] = () => undefined,
): CallExample["naming"] {
  return Object.fromEntries(
    Object.entries(places).map(([what, { path, message, body, id }]) => {
      const call = (mine: Things, theirs: Things) => ({ params: params(mine), body: body(mine, theirs) });
      return [what, { call, id, answers: answers(path, message) }];
    }),
  );
}
