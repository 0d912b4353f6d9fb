import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { overtrusted } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { attackCluster, rehearse } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import type { Held } from '../../support/edge-fields.ts';
import { edgeFields } from '../../support/edge-fields.ts';
import { section as textBelow, tableRows } from '../../support/markdown.ts';

/**
 * What an edge acts on is written by the operator, or is refused to tenants, or can do no harm: field by field, as
 * docs/contributing/edge-fields.md has it of the edges' own source. The tenant has every right that RBAC can give in its namespace.
 */

const page = readFileSync(join(import.meta.dirname, '../../../docs/contributing/edge-fields.md'), 'utf8');

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster();
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const sections = [...new Set(edgeFields.map(({ section }) => section))];

const saying: Readonly<Record<Held, RegExp>> = {
  policy: /ValidatingAdmissionPolicy 'projectdomain-services' .* denied request/,
  kind: /in an account namespace are written by the operator alone/,
  harmless: /was let through: .* created/,
};

describe.each(sections)('of %s', (section) => {
  const fields = edgeFields.filter((field) => field.section === section);

  it('the page has the same fields, held in the same way', () => {
    const rows = tableRows(textBelow(page, `## ${section}`) ?? '');
    const told = rows.map((cells) => [cells[0]?.replaceAll('`', ''), cells.at(-1)?.split(':')[0]]);
    expect(told).toEqual(fields.map(({ field, held }) => [field, held]));
  });

  it.each(fields.map(({ field, held, written }) => [field, held, written] as const))(
    '%s is held by %s',
    async (_, held, written) => {
      expect(await cluster.refusal(overtrusted, rehearse, written)).toMatch(saying[held]);
    },
  );
});
