import type { Intent } from '../../src/kubernetes/kubernetes-port.ts';
import { appliedHashAnnotation } from '../../src/kubernetes/applied-intent.ts';

/** A set of fields as managedFields has it (Kubernetes, fieldsV1): `f:` names a field, `k:` an item of a list by its keys. */
interface OwnedFields {
  readonly [field: string]: OwnedFields;
}

interface ManagedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly managedFields?: readonly {
      readonly manager: string;
      readonly operation: string;
      readonly subresource?: string;
      readonly fieldsV1: OwnedFields;
    }[];
  };
}

const manager = 'projectdomain-operator';

/** What the operator applied last of an object, without its hash, from the fields that it owns. */
export function ownedIntent(object: ManagedObject): Intent {
  const { apiVersion, kind, metadata } = object;
  const entry = metadata.managedFields?.find(
    (one) => one.manager === manager && one.operation === 'Apply' && one.subresource === undefined,
  );
  if (!entry) throw new Error(`the operator applied nothing of ${kind} ${metadata.name}`);
  const owned = pick(object, entry.fieldsV1) as { readonly metadata?: { readonly annotations?: object } };
  const { [appliedHashAnnotation as never]: _, ...annotations } = owned.metadata?.annotations ?? {};
  const { annotations: _all, ...rest } = owned.metadata ?? {};
  const identity = { name: metadata.name, ...(metadata.namespace ? { namespace: metadata.namespace } : {}) };
  const named = Object.keys(annotations).length > 0 ? { annotations } : {};
  return { ...owned, apiVersion, kind, metadata: { ...identity, ...rest, ...named } };
}

function pick(value: unknown, fields: OwnedFields): unknown {
  const names = Object.keys(fields).filter((name) => name !== '.');
  if (names.length === 0) return value;
  if (Array.isArray(value)) return names.map((name) => pick(itemOf(value, name), fields[name] ?? {}));
  const all = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name.slice(2), pick(all[name.slice(2)], fields[name] ?? {})]));
}

function itemOf(items: readonly unknown[], name: string): unknown {
  const keys = Object.entries(JSON.parse(name.slice(2)) as object);
  return items.find((item) => keys.every(([key, value]) => (item as Record<string, unknown>)[key] === value));
}
