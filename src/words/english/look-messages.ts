/** What DNS says about a hostname before it is added. */
export const lookMessages = {
  'look.title': 'What we found in DNS',
  'look.running': 'Checking DNS…',
  'look.host': 'DNS for {zone} is managed at {host}.',
  'look.servers': 'DNS for {zone} is managed by {servers}.',
  'look.ready': 'DNS is already set up correctly: there is nothing to change.',
  'look.clear': 'Nothing blocks these records.',
  'look.record': 'Record',
  'look.now': 'Now',
  'look.needed': 'Change to',
  'look.nothing': 'No record',
  'look.unread': 'We couldn’t read it',
  'look.status': 'Status',
  'look.caa': 'CAA records: our certificate authority may issue your certificate.',
  'look.warning': 'Warning: {title}',
  'look.delete': 'Delete this record',
  'look.create': 'Add this record',
  'look.code': 'Code: {code}',
  'look.late': 'DNS hasn’t answered yet. You can add the domain anyway; we check it again right after.',
  'look.busy': 'Other DNS checks of your account are still running. You can add the domain without this one.',
  'look.quota':
    'DNS wasn’t checked, because your request limit is almost used up. {again} You don’t need the check to add the domain.',
  'look.saving':
    'To save your request limit, DNS isn’t checked while you type. Select “Check DNS first” to check it now.',
  'look.refused': 'Your request limit is used up for now. The check continues {time}.',
} as const;
