import { type Collection, type Document, MongoServerError } from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { groupDigits } from '../../../core/quantities.ts'
import { type QueryPlan, readQueryPlan } from '../../../load/measure/query-plan.ts'
import { argumentNames } from '../profile/call-groups.ts'
import { type ProfiledCall } from '../profile/profiled-call.ts'

const maxTimeMS = 5000
/** Codes of errors that say nothing about the query: Unauthorized, MaxTimeMSExpired, InterruptedAtShutdown and NotPrimary. */
const ofServer: ReadonlySet<unknown> = new Set([13, 50, 11600, 10107])

/**
 * Has the server run a call as it is written, a write as the query for its documents.
 * @returns its plan; a text says why it is not known.
 * @throws {Problem} when the server does not take the query.
 */
export async function explainCall(
  collection: Collection,
  { kind, filter = {}, pipeline, options }: ProfiledCall,
): Promise<QueryPlan | string> {
  try {
    const as = { verbosity: 'executionStats', maxTimeMS } as const
    const found = readOptions(options)
    const limited = kind.includes('One') ? { ...found, limit: 1 } : found
    const explained = pipeline
      ? await collection.aggregate([...pipeline] as Document[], found).explain(as)
      : await collection.find(filter, limited).explain(as)
    return readQueryPlan(explained) ?? 'mongo-perf cannot read the form of its plan'
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error
    if (ofServer.has(error.code)) return `it was not tried, ${error.message}`
    throw new Problem('usage', `The server does not take the query: ${error.message}`, {
      hint: 'Try it in the shell first.',
    })
  }
}

/** Options of writes and of `distinct`, which a query does not have. */
const ofOthers: ReadonlySet<string> = new Set(['upsert', 'returnDocument', 'key'])

/** Reads the options that a query has too. The driver takes no numbers of BSON where it counts. */
const readOptions = (options: ProfiledCall['options']): Document =>
  Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => !ofOthers.has(name))
      .map(([name, value]) => [name, argumentNames.has(name) ? Number(value) : value]),
  )

/** Returns how much the server examines for a call, for after a colon. */
export function describePlan(plan: QueryPlan | string): string {
  if (typeof plan === 'string') return `${plan}.`
  const { text, figures } = plan
  if (typeof figures === 'string') return `${figures} (${text}).`
  const { docsExamined, keysExamined, docsReturned } = figures
  const [documents, keys, returned] = [docsExamined, keysExamined, docsReturned ?? 'unknown'].map(groupDigits)
  return `documents examined ${documents}, keys examined ${keys}, returned ${returned} (${text}).`
}
