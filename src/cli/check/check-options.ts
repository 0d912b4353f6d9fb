import { optionsOf } from '../cluster-options.ts';
import { UsageError } from '../usage-errors.ts';

const many = { type: 'string', multiple: true } as const;
const one = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** The command line of `check`, split but not checked. Throws UsageError. */
export const checkOptions = (args: readonly string[]) =>
  optionsOf(args, {
    target: one,
    txt: one,
    'txt-required': flag,
    config: one,
    roots: one,
    resolver: many,
    'platform-address': many,
    ca: many,
    'account-uri': one,
    method: one,
    explain: flag,
    'system-namespace': one,
  });

export type CheckOptions = ReturnType<typeof checkOptions>['values'];

const ofConfiguration = ['roots', 'resolver', 'platform-address', 'ca', 'method'] as const;
const ofHostname = ['txt', 'txt-required'] as const;
const ofCluster = ['namespace', 'kubeconfig', 'context', 'system-namespace'] as const;

/** Throws UsageError for options that contradict each other: one that another source already answers. */
export function rejectContradictions(values: CheckOptions): void {
  const given = (names: readonly (keyof CheckOptions)[]) => names.find((name) => values[name] !== undefined);
  if (values.target !== undefined) {
    const cluster = given(ofCluster);
    if (cluster !== undefined) throw new UsageError(`--${cluster} is for a domain in the cluster: leave out --target`);
  } else {
    const own = given([...ofHostname, ...ofConfiguration]);
    if (own !== undefined)
      throw new UsageError(`--target is missing, or leave out --${own} to check a domain in the cluster`);
  }
  const configured = values.config === undefined ? undefined : given(ofConfiguration);
  if (configured !== undefined) throw new UsageError(`leave out --${configured}: --config has it already`);
  if (values['txt-required'] && values.txt === undefined) throw new UsageError('--txt-required needs --txt');
}
