/** What an API key may be used for; a call of REST names the one that it needs. */
export const scopes = ['domains:read', 'domains:write', 'keys:write'] as const;

export type Scope = (typeof scopes)[number];
