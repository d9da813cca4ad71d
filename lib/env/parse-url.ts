/**
 * Does what `URL.parse` does, which Node 20 does not have. Never use `URL.canParse` before it: after some thousand calls, Node 20
 * answers false for a host with a letter such as ü. Also runs in the browser.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
