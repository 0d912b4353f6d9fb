/** Put on an account's namespace by an administrator; its value is the Account's name. */
export const accountLabel = 'projectdomain.io/account';
