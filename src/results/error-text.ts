import { type ErrorCount } from './schema/calls.ts'

/** An error in a sentence. Drivers begin some messages with the name of the error. */
export function errorText({ code, name, message }: Pick<ErrorCount, 'code' | 'name' | 'message'>): string {
  const reason = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message
  return `${code === name ? name : `${name} (${code})`}: ${reason}`
}
