import { join, relative } from 'node:path';
import { chartCrds } from '../generate/chart-crds.ts';
import { controllerFiles, controllerNames } from '../generate/controllers.ts';
import { driftOf, settle } from '../generate/drift.ts';
import { openApiIsCurrent, writeOpenApi } from '../generate/openapi.ts';
import { watchRights } from '../generate/watch-rights.ts';
import { referencePages } from '../generate/reference.ts';
import { typesOf } from '../generate/types.ts';
import { valuesSchemaDrift } from '../generate/values-schema.ts';

/**
 * Writes src/generated, the chart's CRDs and its schema of plans from crds/, docs/openapi.json from the API's calls,
 * docs/reference from the tables of codes, the operator's rights to watch from its table of watched kinds, and what the chart knows of
 * ingress controllers and Gateways from theirs; with --check it only says what differs, and its status says so too.
 */
const root = join(import.meta.dirname, '../..');
const crds = join(root, 'crds');
const generated = [
  { folder: join(root, 'src/generated'), wanted: await typesOf(crds) },
  { folder: join(root, 'charts/projectdomain/templates/crds'), wanted: chartCrds(crds) },
  { folder: join(root, 'docs/reference'), wanted: referencePages() },
  { folder: join(root, 'charts/projectdomain/files/rights'), wanted: watchRights() },
  { folder: join(root, 'charts/projectdomain/files/controllers'), wanted: controllerFiles() },
];
const drift = [
  ...generated.flatMap(driftOf),
  ...valuesSchemaDrift({ crds, controllers: controllerNames() }, join(root, 'charts/projectdomain/values.schema.json')),
];
if (process.argv.includes('--check')) {
  const files = [
    ...drift.map(({ path }) => relative(root, path)),
    ...(openApiIsCurrent() ? [] : ['docs/openapi.json']),
  ];
  if (files.length > 0) {
    console.error(`not as the code makes it: ${files.join(', ')}; run: npm run generate`);
    process.exitCode = 1;
  }
} else {
  settle(drift);
  writeOpenApi();
}
