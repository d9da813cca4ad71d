import { existsSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import path from "node:path";

/** `npm test` installs the clients here (bin/clients.mjs). */
const folder = path.join(import.meta.dirname, "../../.cache/clients");
export const areInstalled = existsSync(path.join(folder, "installed"));

/** The networks' own hosts, with the prefix of each in the sandbox. */
const HOSTS: { [host: string]: string } = {
  "api.x.com": "x",
  "api.linkedin.com": "linkedin",
  "www.linkedin.com": "linkedin",
  "api.pinterest.com": "pinterest",
  "graph.facebook.com": "facebook",
  "graph-video.facebook.com": "facebook",
  "www.googleapis.com": "youtube",
  "youtube.googleapis.com": "youtube",
};

/**
 * Loads a client library. The caller states the part of its interface that the test uses, because the libraries are installed
 * outside of the project and the compiler does not see their types.
 */
export function client<T>(name: string): T {
  return createRequire(path.join(folder, "package.json"))(name) as T;
}

/**
 * Sends HTTPS requests for the networks' hosts to the sandbox until the returned function is called. Some clients have their
 * network's address built in.
 * @throws Error for a request to any other host
 */
export function redirectHttps(sandboxUrl: string): () => void {
  const real = https.request;
  https.request = (...args: unknown[]) => {
    const { host, options, callback } = readArguments(args);
    const prefix = HOSTS[host];
    if (prefix === undefined) throw new Error(`A client called ${host}, which the sandbox does not simulate`);
    const { hostname, port } = new URL(sandboxUrl);
    const headers = withoutHost(options.headers);
    const at = { protocol: "http:", hostname, host: hostname, port, path: `/${prefix}${options.path}` };
    return http.request({ method: options.method, headers, ...at }, callback);
  };
  return () => {
    https.request = real;
  };
}

type Callback = (response: http.IncomingMessage) => void;
type Requested = { host: string; options: https.RequestOptions; callback?: Callback };

/** `https.request(url | options, options?, callback?)`. */
function readArguments(args: unknown[]): Requested {
  const callback = args.find((one): one is Callback => typeof one === "function");
  const address = args.find((one): one is string | URL => typeof one === "string" || one instanceof URL);
  const given = args.find((one): one is https.RequestOptions => typeof one === "object" && !(one instanceof URL)) ?? {};
  if (address === undefined) return { host: given.hostname ?? given.host ?? "", options: given, callback };
  const { hostname, pathname, search } = new URL(address);
  return { host: hostname, options: { ...given, path: given.path ?? `${pathname}${search}` }, callback };
}

function withoutHost(headers: https.RequestOptions["headers"] = {}): http.OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "host"));
}
