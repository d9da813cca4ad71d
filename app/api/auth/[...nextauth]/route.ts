import NextAuth from "next-auth";
import { authOptions } from "@/lib/users";

const handler = NextAuth(authOptions);

export { handler as GET, handler as POST };
