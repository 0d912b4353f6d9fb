import { afterAll, describe, expect, it } from '@jest/globals';
import { publicRoots } from '../../../src/own-certificate/public-roots.ts';
import { readOwnCertificate } from '../../../src/own-certificate/read-own-certificate.ts';
import { craftedCertificates } from '../../support/crafted-certificates.ts';
import { fromNow } from '../../support/from-now.ts';
import { certificateMaker } from '../../support/made-certificates.ts';

/**
 * Certificates that an edge reads otherwise than browsers do, or not at all: Traefik then answers with another certificate, and chooses by names that nobody
 * checked. Each is signed by its authority and has its key, so that nothing else is wrong with it. Fails when one of them is taken, or called by another's name.
 */

const maker = certificateMaker();
afterAll(() => maker.remove());
const { root, intermediate } = maker.authorities();
const context = {
  hostname: 'www.example.com',
  now: fromNow(3_600_000),
  isIssuedByPublicRoot: publicRoots([root.pem]),
};

describe('not taken is a certificate with', () => {
  it.each(craftedCertificates(maker, intermediate))('$what: $reason', ({ pem, key, reason }) => {
    const result = readOwnCertificate({ certificate: pem + intermediate.pem, privateKey: key }, context);
    expect(result).toMatchObject({ ok: false, reason });
    expect(!result.ok && result.message).not.toMatch(/\p{C}/u);
  });
});
