import { expect, it } from '@jest/globals';
import { useConformance } from '../support/conformance.ts';

/** A project is served under the platform's domain too, with a certificate; another subdomain is not. Fails where platform hostnames are routed otherwise than customers'. */

const fixture = useConformance(import.meta.filename);

it('answers below the platform domain', async () => {
  const hostname = `platform-hostname.${fixture().stage.facts.platformDomain}`;
  await fixture().stage.answers(hostname, 'shop-web');
  const { body } = await fixture().ask(hostname, '/a?b');
  expect(JSON.parse(body)).toEqual({ tenant: 'shop-web', host: hostname, path: '/a?b' });
});

it('is not served under a subdomain that no project has', async () => {
  await expect(fixture().ask(`nobody.${fixture().stage.facts.platformDomain}`)).rejects.toThrow();
});
