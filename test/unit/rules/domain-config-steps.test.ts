import { afterAll, expect, it } from '@jest/globals';
import type { Project } from '../../../src/generated/project.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createStepCounter } from '../../support/every-call/steps.ts';

/** What REST decides of a configuration at its bounds, in steps, as time would say how busy the machine is. */

// What is compiled before counting begins has no counters.
const steps = createStepCounter();
const { domainConfigRejection } = await import('../../../src/rules/declared-domains.ts');
const { account, platformClaim, project } = await import('../../support/snapshot.ts');
afterAll(() => steps.stop());

const platformHostname = 'shop.apps.example.net';
const [domains, redirects] = [9_000, 500];
/** 21 were counted for each; with one comparison for each pair there are four thousand. */
const stepsForEach = 40;

const existing = Array.from({ length: domains }, (_, index): ProjectDomain => {
  const name = `h${index}.test`;
  return {
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ProjectDomain',
    metadata: { name, namespace: 'acme', uid: `u-${name}`, creationTimestamp: '2026-01-01T00:01:00Z' },
    spec: { project: 'shop', hostname: name, role: 'Redirect', redirect: { to: platformHostname } },
  };
});

const configured: Project = {
  ...project,
  spec: {
    ...project.spec,
    domains: {
      redirects: Array.from({ length: redirects }, (_, index) => ({ from: `c${index}.test`, to: platformHostname })),
    },
  },
  status: { platformHostname, deployedAt: '2026-01-01T00:00:00Z' },
};

it('a configuration of 500 redirects beside 9,000 domains takes some steps for each, not one comparison for each pair', async () => {
  const taken = await steps.during(() => {
    const answer = domainConfigRejection({
      project: configured,
      account,
      limits: {
        rateLimit: { requestsPerMinute: 1, requestsPerDay: 1 },
        customDomains: { enabled: true, maxPerProject: 10_000 },
        maximum: { projects: 5, domains: 20_000, apiKeys: 5 },
      },
      platformDomains: ['apps.example.net', 'cname.apps.example.net'],
      domains: existing,
      domainsWith: () => [],
      claimOf: (hostname) => (hostname === platformHostname ? platformClaim() : undefined),
      count: existing.length,
    });
    expect(answer).toBeNull();
    return Promise.resolve();
  });
  expect(taken).toBeGreaterThan(domains + redirects);
  expect(taken).toBeLessThan(stepsForEach * (domains + redirects));
});
