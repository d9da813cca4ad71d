import { Home } from "@/components/home/home";
import { homeWords } from "@/components/home/words";
import { networkFacts } from "@/components/networks/facts";
import { isStaff, signedIn } from "@/components/session/signed-in";
import { OperatorNotices, VersionNotices } from "@/components/staff/version-notices";
import { PageHeading } from "@/components/ui/card";
import { uiWords } from "@/components/ui/words";

export default async function HomePage() {
  const user = await signedIn("/");
  return (
    <>
      <PageHeading title={homeWords.hello(user.name)} lead={uiWords.claim} />
      {isStaff(user) && (
        <div className="mb-10 grid gap-3 empty:hidden">
          <OperatorNotices />
          <VersionNotices />
        </div>
      )}
      <Home networks={networkFacts()} userId={user.id} />
    </>
  );
}
