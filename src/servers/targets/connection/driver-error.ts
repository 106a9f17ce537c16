import { CommandError, ConnectionError } from '../../../protocol/wire/wire-error.ts'
import { redactQuote, findSecrets } from './redact.ts'

/**
 * Whether the error comes from a server that went away or that refuses, over the driver or over a connection of `wire/`. That is
 * foreseen; anything else is a bug and keeps its stack. By the name, because versions of the driver do not share their classes.
 */
export const isDriverError = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  error instanceof CommandError ||
  (error instanceof Error && error.name.startsWith('Mongo'))

/** Why a server or a driver cannot do what it is asked, by what the error shows, and the way out. */
const causes: readonly { readonly shows: RegExp; readonly hint: string }[] = [
  {
    shows: /optional module/i,
    hint: 'The driver needs that npm package for an option of the URI: install it beside mongo-perf (npm install <package>), or take the option out of the URI.',
  },
  {
    shows: /maximum wire version/,
    hint: 'The server is older than the driver supports. Measure a newer server.',
  },
  {
    shows: /minimum wire version/,
    hint: 'The server is newer than the driver supports: update mongo-perf and its driver.',
  },
  // Of $sample alone there is another way.
  {
    shows: /\$sample\b.*(?:not implemented|not supported|unrecognized)|unrecognized.*\$sample\b/i,
    hint: 'This server has no $sample. A collection is read whole where --sample is at least the number of its documents.',
  },
  {
    shows: /\b(?:CommandNotFound|CommandNotSupported|NotImplemented|40324)\b|not implemented|no such command/i,
    hint: 'This server does not implement what mongo-perf asks for: it is no MongoDB, or an old one. What it does not know cannot be measured there.',
  },
]

/** Returns the hint for an error that has nothing to do with address and credentials. Undefined: it may be about those. */
export function hintForCause(error: unknown): string | undefined {
  if (!isDriverError(error)) return undefined
  const { code = '', codeName = '' } = error as Error & { readonly code?: unknown; readonly codeName?: unknown }
  const text = `${String(code)} ${String(codeName)} ${error.message}`
  return causes.find(({ shows }) => shows.test(text))?.hint
}

/** The message of an error, without secrets. A problem that is made of it gets no `cause`, which may hold the URI. */
export const messageWithoutSecrets = (error: unknown, uri: string): string =>
  redactQuote(error instanceof Error ? error.message : String(error), [uri, ...findSecrets(uri)])
