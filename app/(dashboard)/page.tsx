import { Home } from "@/components/home/home";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { isStaff } from "@/components/staff/guard";
import { VersionNotices } from "@/components/staff/version-notices";
import { PageHeading } from "@/components/ui/card";
import * as app from "@/components/words/app";
import * as words from "@/components/words/app-dashboard";

export default async function HomePage() {
  const user = await signedIn("/");
  return (
    <>
      <PageHeading title={words.hello(user.name)} lead={app.claim} />
      {isStaff(user) && (
        <div className="mb-10 empty:hidden">
          <VersionNotices />
        </div>
      )}
      <Home networks={networkFacts()} userId={user.id} />
    </>
  );
}
