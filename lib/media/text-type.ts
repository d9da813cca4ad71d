import { open } from "node:fs/promises";

/** What a file without a signature calls itself in its first bytes, so that a refusal can name it. */
export async function textType(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
    const head = buffer
      .subarray(0, bytesRead)
      .toString("latin1")
      .replace(/^\xef\xbb\xbf/, "")
      .trimStart()
      .toLowerCase();
    if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg/.test(head)) return "image/svg+xml";
    if (/^(<!doctype html|<html|<head|<script)/.test(head)) return "text/html";
    if (head.startsWith("#extm3u")) return "application/vnd.apple.mpegurl";
    if (head.startsWith("<?xml")) return "application/xml";
    return head.includes("\0") || head === "" ? "application/octet-stream" : "text/plain";
  } finally {
    await file.close();
  }
}
