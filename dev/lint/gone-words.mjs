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

/** Phrases that nobody says to customers, as patterns, each with what is said instead. In no text of src/ and no page. */
export const bannedPhrases = [
  ['by itself', 'automatically, or on its own'],
  ['not to be seen', "we can't see it yet"],
  ['stands (at|twice)', 'there is a record, or twice'],
  ['mend(s|ed|ing)?', 'fix'],
  ['in the way(?! (that|in which))', 'is blocking'],
  ['wanted, to create', 'add this record'],
  ['found, to delete', 'delete this record'],
  ['there is no such thing', 'page not found'],
  ['no API key:', "that API key isn't valid"],
  ['cannot be recogni[sz]ed', "we can't confirm your sign-in"],
  ['opens nothing any ?more', 'no longer works'],
  ['belongs to everybody', 'is a public suffix'],
  ['certificate is being made', 'issuing your certificate'],
  ['DNS is right', 'DNS is set up correctly'],
  ['DNS (has led|leads)', 'the hostname points'],
  ['signatures do(es)? not hold', 'signatures are not valid'],
  ['fresh attempt', 'new attempt'],
  ['wanted records', 'required records'],
  ['nobody could tell', 'could not be checked'],
  ['is said by', 'is set by, or is told by'],
  ['not known here', 'unknown'],
  ['at the moment', 'right now'],
  ['questions asked', 'queries sent'],
];
