/** What looks like a credential, whoever's it is: receivers echo their own headers and settings in error pages. */
const LOOKS = [
  /\bwhsec_[A-Za-z0-9+/=]+/g,
  /\bv1,[A-Za-z0-9+/]{43}=/g,
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g,
];

/** A text that may be shown: without these secrets, and without what looks like one. */
export function withoutSecrets(text: string, secrets: string[]): string {
  const known = secrets.flatMap((secret) => secret.split(" ")).filter((secret) => /^(whsec_|v1,)/.test(secret));
  const rest = known.reduce((left, secret) => left.replaceAll(secret, "…"), text);
  return LOOKS.reduce((left, look) => left.replaceAll(look, "…"), rest);
}
