import { type RecordedCall } from './recorded-call.ts'

/** Commands that are never recorded, by their names in lower case, with the reason. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['hello', 'handshakes'],
  ['ismaster', 'handshakes'],
  ['saslstart', 'logins'],
  ['saslcontinue', 'logins'],
  ['authenticate', 'logins'],
  ['getnonce', 'logins'],
  ['logout', 'logins'],
  ['createuser', 'commands with passwords'],
  ['updateuser', 'commands with passwords'],
  ['copydbsaslstart', 'commands with passwords'],
  ['setparameter', 'commands with passwords'],
])

/** The reason why a command of this name must not be written. Undefined: it may be. */
export const reasonKeptOut = (name: string): string | undefined => reasons.get(name.toLowerCase())

/** Names of collections with keys of users and members, as bytes of a command have them. Tools insert into the second one. */
const secrets = (prefix: string): readonly Buffer[] =>
  ['system.users', 'tempusers', 'system.keys'].map((name) => Buffer.from(`${prefix}${name}\0`))
const [onAdmin, elsewhere] = [secrets(''), secrets('admin.')]

/** The reason why a call must not be written: its name, or a collection that it is on or names, as `applyOps` and `bulkWrite` do. */
export const reasonCallKeptOut = ({ name, database, command }: RecordedCall): string | undefined =>
  reasonKeptOut(name) ??
  ((database === 'admin' ? onAdmin : elsewhere).some((one) => command.includes(one))
    ? 'calls on collections of users and keys'
    : undefined)
