import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { IssuerKind } from '../../../dev/platform/services.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { Certificate, CertificateRequest } from '../../../src/resources/cert-manager-types.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { findCondition } from '../../../src/rules/conditions.ts';
import { fromNow } from '../../support/from-now.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';
import { publishDomain, recordOf } from '../../support/published-domain.ts';

/** A real cert-manager that asks once more for what it has just stored, as it does under load where it does not see the Secret yet. */

const hostname = 'www.example.com';
const name = childName(hostname);

describe.each<IssuerKind>(['AcmeIssuer', 'ClusterIssuer'])('with %s', (issuer) => {
  let platform: Platform;
  let stage: Stage;

  beforeAll(async () => {
    platform = await testPlatform(true, { issuer });
    stage = testStage(platform, 120_000);
  }, platformDeadlineMs);

  afterAll(async () => {
    await stage.close();
    await platform.stop();
  }, platformDeadlineMs);

  const orders = async () => (await stage.kubectl.get<HostnameClaim>('hostnameclaim', hostname))?.spec.orders ?? [];

  const certificate = async () => {
    const seen = await stage.kubectl.get<Certificate>('certificate', name, 'acme');
    if (!seen) throw new Error('there is no Certificate');
    return seen;
  };

  const requests = async (): Promise<readonly CertificateRequest[]> => {
    const listed = await stage.kubectl.run(['get', 'certificaterequests', '-n', 'acme', '-o', 'json']);
    return (JSON.parse(listed) as { readonly items: readonly CertificateRequest[] }).items;
  };

  /** As cert-manager's trigger does where the Secret that was stored has not reached its cache. */
  const triggerAgain = async () => {
    const { status } = await certificate();
    const lastTransitionTime = new Date(fromNow(0)).toISOString().replace(/\.\d+/, '');
    const issuing = {
      type: 'Issuing',
      status: 'True',
      reason: 'DoesNotExist',
      message: 'Secret does not exist',
      lastTransitionTime,
    };
    const conditions = [...(status?.conditions ?? []).filter(({ type }) => type !== 'Issuing'), issuing];
    const patch = JSON.stringify({ status: { conditions } });
    await stage.kubectl.run([
      'patch',
      'certificate',
      name,
      '-n',
      'acme',
      '--subresource=status',
      '--type=merge',
      '-p',
      patch,
    ]);
  };

  it(
    'its second request is ended: no order, the same certificate, and the site stays Live',
    async () => {
      await publishDomain(stage, 'acme', hostname);
      const shown = await stage.domainWhere('acme', hostname, 'shows its record', (seen) =>
        recordOf(seen, 'CNAME') ? null : 'no record',
      );
      await stage.putZone('example.com', `www CNAME ${recordOf(shown, 'CNAME')?.value}.`);
      await stage.domainWhere('acme', hostname, 'is Live', inState('Live'));
      await eventually('the outcome of its order', 30_000, async () => {
        expectThat((await orders())[0]?.outcome === 'Issued', JSON.stringify(await orders()));
      });
      const before = await certificate();
      await triggerAgain();

      await eventually('its second request, held back', 30_000, async () => {
        const held = (await requests()).filter(({ status }) => findCondition(status?.conditions, 'ApprovalWithheld'));
        expectThat(held.length === 1, JSON.stringify(await requests()));
      });
      await eventually('the end of it', 60_000, async () => {
        const { status } = await certificate();
        expectThat(!findCondition(status?.conditions, 'Issuing'), JSON.stringify(status));
        const open = (await requests()).filter((request) => !findCondition(request.status?.conditions, 'Ready'));
        expectThat(open.length === 0, JSON.stringify(open));
      });
      expect(await orders()).toHaveLength(1);
      expect((await certificate()).status?.notAfter).toBe(before.status?.notAfter);
      await stage.domainWhere('acme', hostname, 'is Live', inState('Live'));
    },
    platformDeadlineMs,
  );
});
