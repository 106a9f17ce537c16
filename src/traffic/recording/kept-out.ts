/** Commands that are never recorded, by their names in lower case, with the reason. */
const reasons: Readonly<Record<string, string>> = {
  hello: 'handshakes',
  ismaster: 'handshakes',
  saslstart: 'logins',
  saslcontinue: 'logins',
  authenticate: 'logins',
  getnonce: 'logins',
  logout: 'logins',
  createuser: 'commands with passwords',
  updateuser: 'commands with passwords',
  copydbsaslstart: 'commands with passwords',
  setparameter: 'commands with passwords',
}

/** The reason why a command of this name must not be written. Undefined: it may be. */
export const reasonKeptOut = (name: string): string | undefined => reasons[name.toLowerCase()]
