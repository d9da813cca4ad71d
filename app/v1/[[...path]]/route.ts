import { api } from "@/lib/api";

export const dynamic = "force-dynamic";

/** Serves the API in Next, for development and for hosts that run only Next. Otherwise the web process answers before Next. */
function answer(request: Request): Response | Promise<Response> {
  return api.fetch(request);
}

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
