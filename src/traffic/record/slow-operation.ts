import { type Document, Long, serialize } from 'bson'
import { isDocument } from '../../language/values/bson-types.ts'
import { MalformedBson } from '../../protocol/bson/types.ts'
import { maxPlan } from '../recording/encode-call.ts'
import type { RecordedCall, RecordedWork } from '../recording/recorded-call.ts'
import { type Numbering, type SentCommand, readCommand } from './read-request.ts'
import type { LeftOutCalls } from './whole-writes.ts'

/** Numbers connections and sessions by their names. */
export type Numbers = { readonly connection: Numbering; readonly session: Numbering }

/** When an operation of a profile began, in ms since 1970. Undefined: it is not one of an application. */
export function beganMs({ ts, command, ns, millis, appName }: Document): number | undefined {
  if (!(ts instanceof Date) || !isDocument(command) || typeof ns !== 'string') return undefined
  return String(appName).startsWith('mongo-perf') ? undefined : ts.getTime() - countOr(millis, 0)
}

/**
 * Converts an entry of a profile to a call, or to why it is left out.
 * @param startMs Its start, since the recording began.
 */
export function callOfEntry(entry: Document, startMs: number, numbers: Numbers): RecordedCall | LeftOutCalls {
  const found = findCommand(entry)
  if (typeof found === 'string') return { reason: found, calls: 1 }
  // Statements of writes do not name their database.
  const sent = readSent({ $db: String(entry['ns']).split('.', 1)[0], ...found }, numbers.session)
  if (sent === undefined) return { reason: 'operations that cannot be read', calls: 1 }
  const { command, session } = sent
  const code = countOr(entry['errCode'], 0)
  return {
    // A profile does not name connections, and calls of one session never overlap.
    connection: numbers.connection(session === null ? `client ${entry['client']}` : `session ${session.number}`),
    startUs: toUs(startMs),
    latencyUs: toUs(entry['millis']),
    name: Object.keys(found)[0] ?? '',
    ...sent,
    acknowledged: true,
    requestBytes: command.length,
    reply: {
      ok: code === 0,
      code,
      n: countOr(entry['nMatched'] ?? entry['ndeleted'] ?? entry['ninserted'], null),
      nModified: countOr(entry['nModified'], null),
      cursor: entry['cursorid'] instanceof Long ? entry['cursorid'].toBigInt() : null,
      documents: countOr(entry['nreturned'], null),
      digest: null,
      upsertedIds: [],
      bytes: countOr(entry['responseLength'], 0),
      work: readWork(entry),
    },
  }
}

/** Reads what the server examined. Inserts, and commands that read nothing, have no such counts. */
function readWork({ planSummary, keysExamined, docsExamined }: Document): RecordedWork | null {
  const [keys, documents] = [countOr(keysExamined, null), countOr(docsExamined, null)]
  if (keys === null || documents === null) return null
  return {
    plan: typeof planSummary === 'string' ? planSummary.replaceAll('\0', '').slice(0, maxPlan) : '',
    keys,
    documents,
  }
}

function readSent(command: Document, session: Numbering): SentCommand | undefined {
  try {
    const bytes = Buffer.from(serialize(command))
    return readCommand({ bytes, document: 0, end: bytes.length, sequences: [] }, session)
  } catch (error) {
    if (error instanceof MalformedBson) return undefined
    throw error
  }
}

/** Finds the command of an entry. Writes are recorded by statement where the server has them so. */
function findCommand({ op, ns, command }: Document): Document | string {
  const [[name, value] = ['', null]] = Object.entries(command as Document)
  const collection = String(ns).slice(String(ns).indexOf('.') + 1)
  if ('$truncated' in command) return 'operations that the server truncated'
  if (name === 'insert' && !Array.isArray(command.documents)) return 'inserts, which are there without their documents'
  if (name === '') return 'operations without a command'
  if ('q' in command)
    return op === 'remove' ? { delete: collection, deletes: [command] } : { update: collection, updates: [command] }
  return op !== 'command' && isWrite.has(name) && typeof value !== 'string' ? 'single writes of a bulkWrite' : command
}

const isWrite: ReadonlySet<string> = new Set(['insert', 'update', 'delete'])

const toUs = (ms: unknown): number => countOr(Math.round(Number(ms) * 1000), 0)

function countOr<Other>(value: unknown, other: Other): number | Other {
  const number = value === undefined || value === null ? -1 : Number(value)
  return Number.isSafeInteger(number) && number >= 0 ? number : other
}
