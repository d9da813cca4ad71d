import type { Call, Operation } from "./network";

/** The form of a token endpoint; anything but a form has no fields. */
export async function tokenForm(call: Call): Promise<URLSearchParams> {
  const isForm = call.req.header("content-type")?.startsWith("application/x-www-form-urlencoded");
  return new URLSearchParams(isForm ? await call.req.text() : "");
}

/** Which of the two operations a call of a token endpoint is. */
export async function tokenOperation(call: Call): Promise<Operation> {
  return (await tokenForm(call)).get("grant_type") === "refresh_token" ? "refresh" : "token";
}
