/**
 * What proves routing, or stands for it: `delegation` that of the challenge name, before the hostname is switched. Only it and `target` can
 * prove ownership without a TXT record.
 */
export type RoutedBy = 'target' | 'addresses' | 'token' | 'delegation';
