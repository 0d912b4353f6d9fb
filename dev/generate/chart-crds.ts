import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const guard = '{{- if .Values.crds.install }}\n';
const metadata = /^metadata:\n {2}name: (\S+)\n/m;
/** Kept at uninstall: deleting a definition deletes every object of it, and with them every customer's route. */
const labelled = `metadata:
  name: $1
  labels:
    {{- include "projectdomain.labels" . | nindent 4 }}
  annotations:
    helm.sh/resource-policy: keep
`;

/** The chart's templates made from the CRDs in a folder, by file name. */
export function chartCrds(crds: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(crds).map((file) => {
      const text = readFileSync(join(crds, file), 'utf8');
      if (text.includes('{{') || !metadata.test(text)) throw new Error(`${file} cannot be made a template`);
      return [file, `${guard}${text.replace(metadata, labelled)}{{- end }}\n`];
    }),
  );
}
