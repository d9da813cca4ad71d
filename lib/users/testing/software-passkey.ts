import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { env } from "../../env";
import { userHandleOf } from "../factors/add-passkey";

/**
 * An authenticator in software, written from Web Authentication Level 3 (sections 6.1 and 6.5): it creates one passkey with
 * ES256 and answers challenges as a browser sends them.
 */
export function softwarePasskey(userId: string, { isSynchronised = false } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  const userHandle = Buffer.from(userHandleOf(userId)).toString("base64url");

  function create(options: string): string {
    const credentialKey = Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"), // COSE: EC2, ES256, P-256, x …
      Buffer.from(x, "base64url"),
      Buffer.from("225820", "hex"), // … and y
      Buffer.from(y, "base64url"),
    ]);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, credentialKey]);
    const authenticatorData = dataOf({ counter: 0, attested, isSynchronised });
    const attestationObject = Buffer.concat([
      Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"), // {fmt: "none", attStmt: {}, authData: …
      Buffer.from([authenticatorData.length]),
      authenticatorData,
    ]);
    const clientDataJSON = clientData("webauthn.create", options);
    return credential({ clientDataJSON, attestationObject: attestationObject.toString("base64url") });
  }

  type Answer = { counter?: number; isVerified?: boolean; isSynchronised?: boolean; origin?: string; handle?: string };

  function get(options: string, { counter = 0, isVerified = true, origin, handle = userHandle, ...rest }: Answer = {}) {
    const authenticatorData = dataOf({ counter, isVerified, isSynchronised: rest.isSynchronised ?? isSynchronised });
    const clientDataJSON = clientData("webauthn.get", options, origin);
    const clientHash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    const signature = sign("sha256", Buffer.concat([authenticatorData, clientHash]), privateKey).toString("base64url");
    const data = authenticatorData.toString("base64url");
    return credential({ clientDataJSON, authenticatorData: data, signature, userHandle: handle });
  }

  function credential(response: { [name: string]: string }): string {
    const text = id.toString("base64url");
    return JSON.stringify({ id: text, rawId: text, type: "public-key", clientExtensionResults: {}, response });
  }

  return { create, get };
}

type AuthenticatorData = { counter: number; attested?: Buffer; isVerified?: boolean; isSynchronised: boolean };

/** Section 6.1: the hash of the relying party's ID, flags, counter and, at the creation, the credential. */
function dataOf({ counter, attested, isVerified = true, isSynchronised }: AuthenticatorData): Buffer {
  const flags = 0x01 | (isVerified ? 0x04 : 0) | (isSynchronised ? 0x18 : 0) | (attested ? 0x40 : 0);
  const head = Buffer.alloc(5);
  head.writeUInt8(flags);
  head.writeUInt32BE(counter, 1);
  const rpIdHash = createHash("sha256").update(new URL(env.appUrl).hostname).digest();
  return Buffer.concat([rpIdHash, head, attested ?? Buffer.alloc(0)]);
}

function clientData(type: string, options: string, origin = new URL(env.appUrl).origin): string {
  const { challenge } = JSON.parse(options) as { challenge: string };
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");
}
