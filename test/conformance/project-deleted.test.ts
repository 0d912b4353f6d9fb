import { expect, it } from '@jest/globals';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';

/** With a project go its hostnames, its redirects and its platform hostname, and nothing of another project. Fails where an edge serves what is left over. */

const fixture = useConformance(import.meta.filename);

it(
  'takes all of its hostnames along',
  async () => {
    const platformHostname = `project-deleted.${fixture().stage.facts.platformDomain}`;
    await fixture().stage.answers(platformHostname, 'shop-web');
    const visits = fixture().visit([inZone('other.project-deleted')], ({ status }) => status === 200);
    await fixture().remove('project', 'shop');
    for (const hostname of [inZone('www.project-deleted'), inZone('old.project-deleted'), platformHostname])
      await fixture().isGone(hostname);
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
