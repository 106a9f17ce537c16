import { type Document } from 'bson'
import { RecentMap } from '../../core/recent-map.ts'

/** A statement, after which its whole command may follow in the log. */
type Statement = { readonly op: unknown; readonly ns: unknown; readonly atMs: number }

/** Writes of which a log has each slow statement, and then the whole command: the `op` of a statement, and the field that has them in the command. */
const wholes: ReadonlyMap<string, { readonly op: string; readonly field: string }> = new Map([
  ['update', { op: 'update', field: 'updates' }],
  ['delete', { op: 'remove', field: 'deletes' }],
])

export type LeftOutCalls = { readonly reason: string; readonly calls: number }

/** Connections whose statements are remembered. */
const minConnections = 10_000

/**
 * Returns a function that takes the entries of a log in their order, and looks for the statements of each whole write.
 * It returns why a write is left out. Undefined: the entry is another one, or has statements of which the log has none beside it.
 */
export function matchWholeWrites(): (entry: Document) => LeftOutCalls | undefined {
  const waiting = new RecentMap<unknown, Statement[]>(minConnections)
  return ({ op, ns, command, client, ts, millis }) => {
    const name = Object.keys(command)[0] ?? ''
    if ('q' in command) {
      const statements = waiting.get(client) ?? []
      statements.push({ op, ns, atMs: ts.getTime() })
      waiting.set(client, statements)
      return undefined
    }
    const whole = op === 'command' ? wholes.get(name) : undefined
    if (whole === undefined) return undefined
    const { [name]: collection, [whole.field]: sent } = command
    const namespace = String(ns).replace('$cmd', () => String(collection))
    // Times are whole milliseconds: a statement may seem to end one before its command began.
    const fromMs = ts.getTime() - Number(millis ?? 0) - 1
    const own = (one: Statement): boolean => one.op === whole.op && one.ns === namespace && one.atMs >= fromMs
    const seen = (waiting.get(client) ?? []).filter(own).length
    waiting.delete(client)
    return Array.isArray(sent) && seen === 0
      ? undefined
      : countMissing(name, Array.isArray(sent) ? sent.length : sent, seen)
  }
}

/** @param sent How many statements the command has. Not a number: the server did not write it. */
function countMissing(name: string, sent: unknown, seen: number): LeftOutCalls {
  const statements = sent === undefined ? NaN : Number(sent)
  if (seen >= statements) return { reason: 'writes as a whole, beside their statements', calls: 1 }
  if (statements > seen)
    return { reason: `statements of bulk ${name}s, which are not in the log`, calls: statements - seen }
  const which = seen === 0 ? 'whose statements are not in the log' : 'of which the log may lack statements'
  return { reason: `bulk ${name}s ${which}`, calls: 1 }
}
