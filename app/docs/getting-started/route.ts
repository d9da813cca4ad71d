import { gettingStartedPage } from "@/components/docs/getting-started";

export const dynamic = "force-dynamic";

export function GET(): Promise<Response> {
  return gettingStartedPage();
}
