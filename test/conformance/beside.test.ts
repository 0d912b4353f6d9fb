import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { inState } from '../../dev/story/stage.ts';
import { conformanceDeadlineMs, useConformance } from '../support/conformance.ts';

/** Hostnames that come and go beside another cost its visitors nothing. */

const fixture = useConformance(import.meta.filename, { isLive: false });

it(
  'fails nobody while others are added and removed',
  async () => {
    const [www = '', ...others] = fixture().hostnames;
    await fixture().createRecord(www);
    await fixture().stage.domainWhere(fixture().account, 'www', 'is Live', inState('Live'));
    const visits = fixture().visit([www], ({ status }) => status === 200);
    for (const hostname of others) await fixture().createRecord(hostname);
    for (const name of ['one', 'two', 'three'])
      await fixture().stage.domainWhere(fixture().account, name, 'is Live', inState('Live'));
    await fixture().stage.kubectl.run(['delete', 'projectdomain', 'one', 'two', 'three', '-n', fixture().account]);
    await eventually('the others are gone', 30_000, async () => {
      for (const hostname of others) {
        const answer = await fixture()
          .ask(hostname)
          .catch(() => null);
        expectThat(answer === null || answer.status === 404, `${hostname} answers ${answer?.status}`);
      }
    });
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
