/** Paths of forms with a file, whose route handlers limit the body themselves. All other pages take only small forms (lib/http/page-body.ts). */
export const largeForms: RegExp[] = [/^\/console\/[^/]+\/do\/branding$/];
