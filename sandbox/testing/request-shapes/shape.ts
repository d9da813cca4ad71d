/** A value in braces is known only when the calls are replayed: a token, an id, or what an earlier answer has returned. */
export type Sent = {
  call: `${"GET" | "POST" | "PUT"} ${string}`;
  query?: { [name: string]: string };
  headers?: { [name: string]: string };
  /** The body: one of these, or the bytes of a file. */
  json?: object;
  form?: { [name: string]: string };
  multipart?: { [name: string]: string };
  /** Fields from an earlier answer that a multipart body holds before the file. */
  fieldsOf?: string;
  bytes?: "video" | "picture" | "document";
  /** The call is repeated until the answer has this value. */
  until?: [path: string, value: string];
  /** Values of the answer that later calls use: names, with their path in the body (`*`: the only field). `header:` reads a header. */
  keep?: { [name: string]: string };
};
export type Shape = {
  network: string;
  by: "Postiz" | "post-for-me";
  what: string;
  calls: Sent[];
  /** The last thing that the person then has on the network, and some of its settings. */
  shows: { text: string; media: string[]; isReply?: true; settings?: { [name: string]: unknown } };
};

export const JPEG = "image/jpeg";
export const MP4 = "video/mp4";
export const PDF = "application/pdf";
export const bearer = { authorization: "Bearer {token}" };
export const inQuery = { access_token: "{token}" };
