/** A namespace, and what follows it where it is part of `namespace/name`. */
const words = /([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)(\/[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?)?/g;

/**
 * A text of the cluster's that one account is going to read, without the objects of others that it names, as `namespace/name` or by their
 * namespace alone: a webhook may say who has a hostname already.
 */
export const withoutForeignNames = (text: string, isForeign: (namespace: string) => boolean): string =>
  text.replace(words, (word, namespace: string) => (isForeign(namespace) ? '(of another account)' : word));
