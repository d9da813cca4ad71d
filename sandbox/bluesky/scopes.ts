import { XrpcRefusal } from "./errors";

const WORDS: [pattern: RegExp, ask: string][] = [
  [/^atproto$/, "know who you are"],
  [/^transition:generic$/, "do everything that an app password can do"],
  [/^repo:/, "write posts for you"],
  [/^blob:/, "upload pictures and videos for you"],
  [/^rpc:com\.atproto\.repo\.uploadBlob\?/, "let services store files on your server"],
  [/^rpc:/, "ask services in your name"],
];

/** atproto.com/specs/permission: the forms that stand in this sandbox for all of them. */
export function isKnownScope(scope: string): boolean {
  return /^(atproto|transition:generic|repo:[\w.*-]+(\?action=\w+(&action=\w+)*)?|blob:[\w.*/-]+|rpc:[\w.]+\?aud=\S+)$/.test(
    scope,
  );
}

export function asksOf(scopes: string[]): string[] {
  const asks = scopes.map((scope) => WORDS.find(([pattern]) => pattern.test(scope))?.[1] ?? scope);
  return [...new Set(asks)];
}

export function assertRepo(scopes: string[], collection: string, action: "create" | "update" | "delete"): void {
  const isAllowed = scopes.some((scope) => {
    const [, target = "", query] = /^repo:([^?]+)(?:\?(.*))?$/.exec(scope) ?? [];
    const actions = new URLSearchParams(query).getAll("action");
    return (target === "*" || target === collection) && (actions.length === 0 || actions.includes(action));
  });
  assertScope(scopes, isAllowed, `repo:${collection}?action=${action}`);
}

export function assertBlob(scopes: string[], mimeType: string): void {
  const isAllowed = scopes.some((scope) => {
    const [, accept = ""] = /^blob:(.+)$/.exec(scope) ?? [];
    return (
      accept === "*/*" || accept === mimeType || (accept.endsWith("/*") && mimeType.startsWith(accept.slice(0, -1)))
    );
  });
  assertScope(scopes, isAllowed, `blob:${mimeType}`);
}

export function assertRpc(scopes: string[], lxm: string, aud: string): void {
  const isAllowed = scopes.some((scope) => {
    const [, method, audience] = /^rpc:([\w.*]+)\?aud=(.+)$/.exec(scope) ?? [];
    return (method === "*" || method === lxm) && (audience === "*" || audience === aud);
  });
  assertScope(scopes, isAllowed, `rpc:${lxm}?aud=${aud}`);
}

function assertScope(scopes: string[], isAllowed: boolean, missing: string): void {
  if (isAllowed || scopes.includes("transition:generic")) return;
  throw new XrpcRefusal(403, "ScopeMissingError", `Missing required scope "${missing}"`);
}
