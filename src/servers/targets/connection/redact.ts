import { CommaAndColonSeparatedRecord, ConnectionString } from 'mongodb-connection-string-url'
import { decodePercents } from '../../../core/printable.ts'

const replacement = '***'

const secretOptions = ['tlsCertificateKeyFilePassword', 'sslPass', 'proxyPassword', 'proxyUsername']

/** Credentials before the last "@" of a URI, whatever its scheme; a password may hold an "@" that was not encoded. */
const credentials = /([a-z][a-z\d+.-]*:\/\/)(?!\*\*\*@)[^\s"'`<>/]*@/gi
/** The same for a password with quotes or slashes in it. Takes too much rather than too little. */
const oddCredentials = /(mongodb(?:\+srv)?:\/\/)(?!\*\*\*@)[^\s:@]*:[^\s"]*@/gi
const optionPattern = new RegExp(`\\b(${secretOptions.join('|')})=[^&\\s"'\`<>#]+`, 'gi')
const sessionToken = /(AWS_SESSION_TOKEN(?::|%3A))[^,&\s"'`<>]+/gi

/**
 * Takes secrets out of a text that leaves the program: where a URI has them, whatever they are (credentials, secret
 * options), and by their value wherever they stand, when no word could be like it. A password such as "perf" stays in
 * "mongoperf_shop", and in the name of a user "perf": there it is no secret, and its place would reveal it.
 * Redacting again changes nothing.
 * @param secrets Values known to be secret, see `secretsOf`.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  return untilNothingChanges(text, (rest) => withoutPatterns(withoutValues(rest, secrets)))
}

/**
 * Makes a message of the driver or of a server fit to be quoted. Nothing promises that it holds no secret, so a value
 * that is like a word is taken out too, where it stands as a word of its own. The session of an echoed command is left out.
 */
export function redactQuote(text: string, secrets: readonly string[] = []): string {
  const tokens = longestFirst(secrets).filter((secret) => secret.length >= minToken)
  return untilNothingChanges(text.replace(session, ''), (rest) =>
    withoutPatterns(tokens.reduce(withoutToken, withoutValues(rest, secrets))),
  )
}

function untilNothingChanges(text: string, change: (text: string) => string): string {
  const rest = change(text)
  // What was taken out may have stood in the way of a pattern.
  return rest === text ? text : untilNothingChanges(rest, change)
}

/** Shorter ones would take the text apart. In a URI they are found by their place. */
const minToken = 3

/** Whether a value is like no word, number or name that a text may hold. */
const isDistinctive = (secret: string): boolean =>
  secret.length >= 16 ||
  (secret.length >= 4 && /[^\w\s.-]/.test(secret)) ||
  (secret.length >= 6 && /\d/.test(secret) && /[a-z]/i.test(secret))

/** One secret may be a part of another. */
const longestFirst = (secrets: readonly string[]): readonly string[] =>
  secrets.filter((secret) => !/^\**$/.test(secret)).toSorted((a, b) => b.length - a.length)

const withoutValues = (text: string, secrets: readonly string[]): string =>
  longestFirst(secrets)
    .filter(isDistinctive)
    .reduce((rest, secret) => rest.replaceAll(secret, replacement), text)

/** Letters, digits, "_" and "-" make a word; what is percent-encoded in front of it does not. */
const withoutToken = (text: string, secret: string): string =>
  text.replace(new RegExp(`(?<=^|[^\\w-]|%[\\dA-Fa-f]{2})${escaped(secret)}(?![\\w-])`, 'g'), replacement)

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const inBraces = String.raw`\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}`
const session = new RegExp(String.raw`,?\s*"?(?:lsid|\$clusterTime|signature)"?:\s*${inBraces}`, 'g')

function withoutPatterns(text: string): string {
  return text
    .replace(oddCredentials, `$1${replacement}@`)
    .replace(credentials, `$1${replacement}@`)
    .replace(optionPattern, `$1=${replacement}`)
    .replace(sessionToken, `$1${replacement}`)
}

function parseUri(uri: string): ConnectionString | undefined {
  try {
    return new ConnectionString(uri)
  } catch {
    return undefined
  }
}

/** The secret values in a URI, each as written and as meant. In one that does not parse, whatever is in the place of the password. */
export function findSecrets(uri: string): string[] {
  const parsed = hasUnencodedCredentials(uri) ? undefined : parseUri(uri)
  if (parsed === undefined) return spellings(placeOfPassword.exec(uri)?.slice(1) ?? [])
  const properties = new CommaAndColonSeparatedRecord(parsed.searchParams.get('authMechanismProperties'))
  const values = [
    parsed.password,
    properties.get('AWS_SESSION_TOKEN'),
    ...secretOptions.map((option) => parsed.searchParams.get(option)),
  ]
  return spellings(values.filter((value): value is string => typeof value === 'string' && value !== ''))
}

const placeOfPassword = /^mongodb(?:\+srv)?:\/\/[^:@]*:(.+)@/s

const spellings = (values: readonly string[]): string[] => [
  ...new Set(values.flatMap((value) => [value, decodePercents(value), encodeURIComponent(decodePercents(value))])),
]

const scheme = /^mongodb(?:\+srv)?:\/\//

/** A user name, a password or both, as a URI has them. */
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
