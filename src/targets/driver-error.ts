import { CommandError, ConnectionError } from '../wire/wire-error.ts'
import { redactQuote, secretsOf } from './redact.ts'

/**
 * Whether the error comes from a server that went away or that refuses, over the driver or over a connection of `wire/`. That is
 * foreseen; anything else is a bug and keeps its stack. By the name, because versions of the driver do not share their classes.
 */
export const isDriverError = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  error instanceof CommandError ||
  (error instanceof Error && error.name.startsWith('Mongo'))

/** The message of an error, without secrets. A problem that is made of it gets no `cause`, which may hold the URI. */
export const messageWithoutSecrets = (error: unknown, uri: string): string =>
  redactQuote(error instanceof Error ? error.message : String(error), [uri, ...secretsOf(uri)])
