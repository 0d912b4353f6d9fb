import { optionsOf } from '../cluster-options.ts';
import { UsageError } from '../usage-errors.ts';

export const checkUsage = `usage: projectdomain check <hostname> --target T [options]
       projectdomain check NAME [-n NS] [options]

Checks DNS as the operator does and says what is right, what is wrong, and what to change. With --target it needs no
cluster. Without it, NAME is a domain in the cluster (a hostname or an object's name): its target and ownership record
come from its status, everything else from the operator's configuration.

  --target T              the project's CNAME target, as shown in status.records
  --txt VALUE             the exact ownership TXT value that is expected
  --txt-required          it is required even where the target is found: another account proved the hostname
  --config FILE           the operator's configuration file, which says all that follows up to --method
  --roots ADDR[:PORT]     root server at which resolution starts; its port is used for every server
  --resolver ADDR[:PORT]  a recursive resolver to fall back on; may be repeated
  --platform-address IP   an address of the platform's ingress; may be repeated
  --ca DOMAIN             check CAA for this issuer domain; may be repeated
  --method M              the validation method that will be used; default http-01 (RFC 8657)
  --account-uri U         the ACME account that will order (RFC 8657)
  --explain               what each server answered, and in what time
  --json                  one JSON object instead of text

  -n, --namespace NS      the domain's namespace; default: the context's
  --system-namespace NS   where the operator's ConfigMap is; default projectdomain-system
  --kubeconfig FILE       the cluster; default: $KUBECONFIG or ~/.kube/config
  --context NAME          the kubeconfig's context; default: the current one

exit status: 0 verified, 1 not, 2 unknown, 3 wrong usage`;

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
