/* Generated from crds/ by `npm run generate`; never edited by hand. */

/** The metadata that our code reads. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
    readonly controller?: boolean;
  }[];
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
}

/** An observation (Kubernetes API conventions, Typical status properties). */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** one CamelCase word of a documented set */
  readonly reason: string;
  /** for people, with what to do */
  readonly message: string;
  /** the metadata.generation that this was observed for */
  readonly observedGeneration?: number;
  /** when the status last changed; RFC 3339 */
  readonly lastTransitionTime: string;
}
