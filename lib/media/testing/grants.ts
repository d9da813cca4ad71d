import { beforeAll, expect } from "vitest";
import { as, type Client, newOwner, readResponse } from "../../testing";
import { withServer } from "./http";

export type TestGrant = {
  key: string;
  method: string;
  url: string;
  headers: { [name: string]: string };
  expiresAt: string;
};

/** The object's name of a storage key. */
export const nameInKey = (key: string) => key.split("/")[1] ?? "";

/** An owner with a client, and the steps of a pre-signed upload. */
export function withGrants() {
  const server = withServer();
  const mine = { owner: "", caller: as("") };
  beforeAll(async () => {
    mine.owner = await newOwner();
    mine.caller = as(mine.owner);
  });

  async function grant(bytes: Uint8Array, filename = "Sommer (1).JPG", contentType = "image/jpeg"): Promise<TestGrant> {
    const asked = { filename, contentType, sizeBytes: bytes.length };
    const [status, body] = await readResponse(mine.caller.post("/v1/media/upload/urls", asked));
    expect(status).toBe(200);
    return body as TestGrant;
  }
  const put = ({ url, headers }: TestGrant, body: Uint8Array) => server.ask(url, { method: "PUT", headers, body });
  const confirm = (key: string, client: Client = mine.caller) =>
    readResponse(client.post("/v1/media/upload/confirm", { key }));
  /** Granted and uploaded, but not confirmed. */
  async function uploaded(bytes: Uint8Array, filename?: string): Promise<TestGrant> {
    const granted = await grant(bytes, filename);
    expect(await put(granted, bytes)).toBe(200);
    return granted;
  }
  return { mine, server, grant, put, confirm, uploaded };
}
