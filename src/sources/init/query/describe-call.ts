import { type Collection, type Document, MongoServerError } from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { readQueryPlan } from '../../../load/measure/query-plan.ts'
import { type ProfiledCall } from '../profile/profiled-call.ts'

const maxTimeMS = 5000
/** Codes of errors that say nothing about the query: Unauthorized, MaxTimeMSExpired, InterruptedAtShutdown and NotPrimary. */
const ofServer: ReadonlySet<unknown> = new Set([13, 50, 11600, 10107])

/**
 * Has the server run a call as it is written, an update as the query for its document, and describes what it examined.
 * @throws {Problem} when the server does not take the query.
 */
export async function describeCall(
  collection: Collection,
  { filter = {}, pipeline, update, options }: ProfiledCall,
): Promise<string> {
  try {
    const as = { verbosity: 'executionStats', maxTimeMS } as const
    const limited = update === undefined ? options : { limit: 1 }
    const explained = pipeline
      ? await collection.aggregate([...pipeline] as Document[]).explain(as)
      : await collection.find(filter, limited).explain(as)
    return describePlan(explained)
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error
    if (ofServer.has(error.code)) return `As you wrote it, the query was not tried: ${error.message}.`
    throw new Problem('usage', `The server does not take the query: ${error.message}`, {
      hint: 'Try it in the shell first.',
    })
  }
}

/** @param explained What `explain` returned. */
export function describePlan(explained: unknown): string {
  const plan = readQueryPlan(explained)
  if (plan === undefined) return 'The plan of the query has a form that is not known here.'
  const { text, figures } = plan
  if (figures === null) return `As you wrote it, the query takes longer than ${maxTimeMS / 1000} seconds (${text}).`
  const { docsExamined, keysExamined, docsReturned } = figures
  return `As you wrote it: documents examined ${docsExamined}, keys examined ${keysExamined}, returned ${docsReturned} (${text}).`
}
