/** Below it an authority asks for the answers to its HTTP-01 challenges (RFC 8555, section 8.3). */
export const challengePath = '/.well-known/acme-challenge/';
