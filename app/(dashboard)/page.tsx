import { Home } from "@/components/home/home";
import { networkFacts } from "@/components/networks/facts";
import { isStaff, signedIn } from "@/components/session/signed-in";
import { OperatorNotices, VersionNotices } from "@/components/staff/version-notices";

export default async function HomePage() {
  const user = await signedIn("/");
  return (
    <>
      {isStaff(user) && (
        <div className="mb-10 grid gap-3 empty:hidden">
          <OperatorNotices />
          <VersionNotices />
        </div>
      )}
      <Home networks={networkFacts()} userId={user.id} name={user.name} />
    </>
  );
}
