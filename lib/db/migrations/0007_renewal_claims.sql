ALTER TABLE "accounts" ADD COLUMN "renewal_claim_until" timestamp with time zone;
