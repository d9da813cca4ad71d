import { api } from "@/lib/api";

export const dynamic = "force-dynamic";

/** The API in Next, for development and for hosts that run Next alone; the web process answers it before Next otherwise. */
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
