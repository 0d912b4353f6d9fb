/** Put on an account's namespace by an administrator; its value is the Account's name. */
export const accountLabel = 'projectdomain.io/account';

/** Asks for a check now; its value is the time of asking (RFC 3339). One act for REST, dashboard, CLI and kubectl. */
export const verifyAnnotation = 'projectdomain.io/verify-requested-at';

/** Lifts the bans of an ApiKey that began before its value (RFC 3339). */
export const liftBanAnnotation = 'projectdomain.io/lift-ban-at';
