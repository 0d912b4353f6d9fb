/** The platform that all names of the corpus are meant to lead to. */
export const cnameDomain = 'cname.apps.platform.net';
export const target = `p-mine.${cnameDomain}`;
export const platformAddresses = ['203.0.113.10', '2001:db8:cafe::10'] as const;
/** not configured: only the target resolves to it */
export const addressOfTarget = '203.0.113.11';
export const ownershipValue = 'projectdomain-verify=right';
export const challengeZone = 'acme.platform.net';
export const delegationLabel = 'mine';
