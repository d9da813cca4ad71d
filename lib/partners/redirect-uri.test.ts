import { describe, expect, test } from "vitest";
import { partnerRedirectProblem } from "./redirect-uri";

const SPELLING = "must not contain spaces, control characters, backslashes or non-ASCII characters";
const ABSOLUTE = "must be an absolute URL or a deep link";
const CREDENTIALS = "must not contain a user name or password";
const HOST = "must have a host";
const HTTPS = "must be https (http only on a loopback host)";
const scheme = (name: string) => `must not use the scheme ${name}`;

describe("C3: a dangerous redirectUri is refused", () => {
  test.each<[uri: string, problem: string]>([
    ["javascript:alert(1)", scheme("javascript")],
    ["JaVaScRiPt:alert(1)", scheme("javascript")],
    ["javascript://example.com/%0aalert(1)", scheme("javascript")],
    ["java\tscript:alert(1)", SPELLING],
    [" javascript:alert(1)", SPELLING],
    ["\u0001javascript:alert(1)", SPELLING],
    ["data:text/html,<script>alert(1)</script>", scheme("data")],
    ["vbscript:msgbox(1)", scheme("vbscript")],
    ["blob:https://example.com/1", scheme("blob")],
    ["file:///etc/passwd", scheme("file")],
    ["filesystem:https://example.com/temporary/x", scheme("filesystem")],
    ["about:blank", scheme("about")],
    ["intent://scan/#Intent;scheme=zxing;end", scheme("intent")],
    ["view-source:https://example.com", scheme("view-source")],
    ["content://com.example/1", scheme("content")],
    ["ws://example.com", scheme("ws")],
    ["wss://example.com", scheme("wss")],
    ["ftp://example.com", scheme("ftp")],
    ["mailto:a@example.com", scheme("mailto")],
    ["tel:+123", scheme("tel")],
    ["sms:+123", scheme("sms")],
    ["chrome://settings", scheme("chrome")],
    ["chrome-extension://abc/x.html", scheme("chrome-extension")],
    ["moz-extension://abc/x.html", scheme("moz-extension")],
    ["resource://gre/x", scheme("resource")],
    ["jar:https://example.com/x.jar!/", scheme("jar")],
    ["http://example.com/done", HTTPS],
    ["http://127.0.0.1.example.com/done", HTTPS],
    ["http://localhost.example.com/done", HTTPS],
    ["http://10.0.0.1/done", HTTPS],
    ["https://user@example.com/done", CREDENTIALS],
    ["https://user:password@example.com/done", CREDENTIALS],
    ["https://example.com@evil.example/done", CREDENTIALS],
    ["myapp://user:password@host/done", CREDENTIALS],
    ["https:example.com", HOST],
    ["https:/example.com", HOST],
    ["https:///example.com", HOST],
    ["https://", ABSOLUTE],
    ["https://exa mple.com", SPELLING],
    ["https://example.com\\@evil.example", SPELLING],
    ["https://example.com/\r\nSet-Cookie: a=b", SPELLING],
    ["https://example.com/\0", SPELLING],
    ["https://exämple.com/", SPELLING],
    ["https://example.com/\u202e", SPELLING],
    ["//example.com/done", ABSOLUTE],
    ["/done", ABSOLUTE],
    ["example.com/done", ABSOLUTE],
    ["1app://done", ABSOLUTE],
    ["", SPELLING],
    ["https://a;b.example/done", "must not have ; or , in its host"],
    ["https://a,b.example/done", "must not have ; or , in its host"],
    ["ab://done", "must use a scheme of at least three characters"],
    ...(
      "facetime facetime-audio itms-apps itms-services market android-app ms-settings x-apple.systempreferences " +
      "view-source microsoft-edge prefs FaceTime shell fb-messenger instagram vnd.youtube whatsapp"
    )
      .split(" ")
      .map((name): [string, string] => [`${name}://done`, scheme(name.toLowerCase())]),
    [`https://example.com/${"a".repeat(2029)}`, "must have at most 2048 characters"],
  ])("%j", (uri, problem) => {
    expect(partnerRedirectProblem(uri)).toBe(problem);
  });
});

describe("an allowed redirectUri", () => {
  test.each([
    "https://example.com",
    "https://example.com/done?a=1&b=%20#part",
    "HTTPS://EXAMPLE.COM:8443/Done",
    "https://[2001:db8::1]/done",
    "http://localhost:8080/done",
    "http://127.0.0.1/done",
    "http://[::1]:9/done",
    "myapp://connected",
    "com.example.app:/oauth",
    "a.b://done",
    "fb123://authorize",
    "shellfish://done",
    "myapp://connected,again;v=1/done",
    "https://example.com/done;v=1,2?a=b;c,d",
    "a1-2+3://done",
    "app+x://done?x=1",
    `https://example.com/${"a".repeat(2028)}`,
  ])("%s", (uri) => {
    expect(partnerRedirectProblem(uri)).toBeUndefined();
  });
});
