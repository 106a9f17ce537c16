import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Spec } from '../schema/schema.ts'
import { type Writer, listWriters } from './writers.ts'

/** Collections that the documents arrive in that a phase sends unacknowledged, or why their number there is not known. */
export type SentInserts = { readonly collections: readonly string[] } | { readonly reason: string }

/** Undefined: writes are acknowledged, or nothing is inserted. */
export function findSentInserts(phase: PhaseSpec, spec: Spec): SentInserts | undefined {
  if (phase.writeConcern.w !== 0) return undefined
  const writers = listWriters({ ...spec, phases: [phase] })
  const collections = [...new Set(writers.filter(({ inserts }) => inserts).flatMap(listCollectionNames))]
  if (collections.length === 0) return undefined
  for (const name of collections) {
    const reason = whyNot(name, writers, spec)
    if (reason !== undefined) return { reason }
  }
  return { collections }
}

const listCollectionNames = ({ namespaces }: Writer): readonly string[] =>
  namespaces.map(({ collection }) => collection)

/** Why the number of documents before and after does not show how many have arrived. */
function whyNot(name: string, writers: readonly Writer[], { data }: Spec): string | undefined {
  const ofIt = writers.filter((writer) => listCollectionNames(writer).includes(name))
  const others = ofIt.filter((writer) => !writer.inserts && !writer.onlyUpdates)
  if (others.length > 0) {
    const keywords = [...new Set(others.map(({ keyword }) => keyword))].join(', ')
    return `other operations of the phase (${keywords}) add or remove documents of "${name}" too`
  }
  if (ofIt.some(({ namespaces }) => namespaces.some(({ database }) => database !== undefined)))
    return `"${name}" was not created by mongo-perf, and others may write to it`
  const { options, collections, indexes = [] } = data.find(({ collection }) => collection === name) ?? {}
  if (collections !== undefined) return `"${name}" has several collections`
  if (options?.capped === true) return `"${name}" is capped, and loses documents as others come`
  const expires = indexes.some((index) => index['expireAfterSeconds'] !== undefined)
  return expires ? `documents of "${name}" expire` : undefined
}
