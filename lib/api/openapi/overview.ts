/** What holds for every operation, in Markdown: the head of the reference. */
export const overview = `Carillon publishes and schedules posts to social networks through one API.

## Access

Every call of \`/v1\` carries \`Authorization: Bearer <access token>\`. An application gets its token from \`POST /oauth/token\` after a person has consented at \`/authorize\`; a partner gets one with its own credentials. Each operation says which scope it needs; \`service-api/api\` stands for all of them. A missing, expired or invalid token is 401, a missing scope or a suspended account 403.

## Partners

With a partner's token, every call that is made for a user names that user in one of two headers: \`X-Connect-User-Id\` (the \`uuid\` that provisioning answered) or \`X-Connect-External-User-Id\` (the partner's own identifier). None is 400, an unknown one 404. The same headers with a token that is not a partner's are 403. Calls that a partner makes in its own name need neither.

## Errors

Every refusal is JSON with one string, \`error\`. When several fields are wrong they are all named, each sentence begins with its field's path, and \`; \` stands between:

\`\`\`json
{ "error": "publications[0].socialMediaAccountId cannot be null; publications[0].platformSettings cannot be null" }
\`\`\`

Branch on the status. Repeat 429 and 5xx with growing pauses; do not repeat another 4xx without changing the request. A path that does not exist is 404, a method that a path does not have 405 with \`Allow\`. Every answer has an \`x-request-id\`: name it when you ask us about a call.

## Limits

Every answer of \`/v1\` says in \`RateLimit\` what is left of this minute and in \`RateLimit-Policy\` how much there is. Beyond it the answer is 429 with \`Retry-After\` in seconds. It comes from the gateway, so its body is \`{ "message": "…" }\`.

## Idempotency

A POST that changes something takes an \`Idempotency-Key\` of 1 to 255 characters. The same request with the same key within 24 hours gets the first answer again, with \`Idempotency-Replayed: true\`, and is not done twice. Another request with that key, or the same one while the first is still running, is 409. A refusal is not remembered.

## Lists

Lists that can be long answer \`{ "items": […], "nextCursor": … }\`, newest first. Hand \`nextCursor\` to the next call as \`cursor\`; it is \`null\` on the last page. What is added while you page through comes before your first page.

## Times

\`scheduledTime\` is taken as ISO 8601 with or without an offset; none means UTC. It is answered as UTC, \`2031-05-01T12:00:00Z\`, with milliseconds only where they are not zero. \`createdTime\` and \`updatedTime\` are UTC with six digits and no offset: \`2031-05-01T12:00:00.123456\`. Fields without a value are left out.
`;
