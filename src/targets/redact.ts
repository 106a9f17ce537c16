import { CommaAndColonSeparatedRecord, ConnectionString } from 'mongodb-connection-string-url'
import { hasUnencodedCredentials } from './unencoded.ts'

const replacement = '***'

const secretOptions = ['tlsCertificateKeyFilePassword', 'sslPass', 'proxyPassword', 'proxyUsername']

/** Credentials before the last "@" of a URI, whatever its scheme; a password may hold an "@" that nobody encoded. */
const credentials = /([a-z][a-z\d+.-]*:\/\/)(?!\*\*\*@)[^\s"'`<>/]*@/gi
/** The same for a password with quotes or slashes in it. Takes too much rather than too little. */
const oddCredentials = /(mongodb(?:\+srv)?:\/\/)(?!\*\*\*@)[^\s:@]*:[^\s"]*@/gi
const options = new RegExp(`\\b(${secretOptions.join('|')})=[^&\\s"'\`<>#]+`, 'gi')
const sessionToken = /(AWS_SESSION_TOKEN(?::|%3A))[^,&\s"'`<>]+/gi

/**
 * Takes secrets out of a text: by pattern (credentials and secret options of URIs) and by value.
 * Redacting again changes nothing.
 * @param secrets Values known to be secret, see `secretsOf`.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  const rest = redactOnce(text, secrets)
  // What was taken out may have stood in the way of a pattern.
  return rest === text ? text : redact(rest, secrets)
}

function redactOnce(text: string, secrets: readonly string[]): string {
  const byValue = [...secrets]
    .filter((secret) => secret !== '' && !/^\*+$/.test(secret))
    // Longest first: one secret may be a part of another.
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, replacement), text)
  return byValue
    .replace(oddCredentials, `$1${replacement}@`)
    .replace(credentials, `$1${replacement}@`)
    .replace(options, `$1=${replacement}`)
    .replace(sessionToken, `$1${replacement}`)
}

function parseUri(uri: string): ConnectionString | undefined {
  try {
    return new ConnectionString(uri)
  } catch {
    return undefined
  }
}

/** The secret values in a URI, each as written and as meant. In one that does not parse, what stands in the place of the password. */
export function secretsOf(uri: string): string[] {
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
  ...new Set(values.flatMap((value) => [value, decode(value), encodeURIComponent(decode(value))])),
]

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
