/** Words that had a meaning of their own here, as identifiers, each with the field's word for it. */
export const goneIdentifiers = [
  ['[wW]orld|ApiWorld|Surroundings', 'dependencies'],
  ['carryOut', 'applyActions'],
  ['Hands', 'ApplyDependencies'],
  ['Visit|revisit\\w*', 'ReconcileResult, requeueAfterMs or requeueAt'],
  ['Announcement|announcements?|createAnnouncer', 'EventRecord, events or createEventRecorder'],
  ['Judgements?|judgements?|judge\\w*', 'DnsVerdict, verdict or evaluateDns'],
  ['Rivals?|rivals?|rivalOf|rivalsOf', 'Competitor'],
  ['[sS]tandings?|standingOf', 'ClaimRelation'],
  ['twins?', 'sameHostname'],
  ['[tT]heatres?|[sS]abotage', 'story environment or fault injection'],
  ['[aA]sker|createAsker|FactBook', 'DnsChecker or Observations'],
  ['KubeObject|KubeError', 'KubernetesObject or KubernetesError'],
];

/** Phrases in comments that a reader of English stumbles over. */
export const gonePhrases = ['design section', 'carries out', 'by the hands'];
