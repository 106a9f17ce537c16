import { ConnectionString } from 'mongodb-connection-string-url'

const scheme = /^mongodb(?:\+srv)?:\/\//

/** A user name, a password or both, as they stand in a URI. */
const encoded = /^(?:[^:/?#[\]@%]|%[\da-f]{2})*(?::(?:[^:/?#[\]@%]|%[\da-f]{2})*)?$/i

/** An option of a URI. Its value may well hold an "@", and no "/" or "?" as what follows a host does. */
const option = /^\w+=[^/?#]*$/

/**
 * Whether the user name or the password of a URI holds a character that should have been percent-encoded. The rest of a
 * password with an "@" is then read as a host, and what follows a "/" or "#" of it as a database or nothing.
 */
export function hasUnencodedCredentials(uri: string): boolean {
  const text = uri.replace(scheme, '')
  if (text === uri || !text.includes('@')) return false
  if (!isParsed(uri)) return !encoded.test(text.slice(0, text.lastIndexOf('@')))
  const [hosts = '', ...options] = text.slice(text.indexOf('@') + 1).split('?')
  const beyond = options.join('?')
  return /[@#]/.test(hosts) || (beyond.includes('@') && !beyond.split('&').every((each) => option.test(each)))
}

function isParsed(uri: string): boolean {
  try {
    return new ConnectionString(uri).hosts.length > 0
  } catch {
    return false
  }
}
