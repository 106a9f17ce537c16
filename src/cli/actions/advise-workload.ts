import { existsSync } from 'node:fs'
import { type SpecWorkload, workloadFromSpec } from '../../advise/spec-workload.ts'
import { readIndex } from '../../advise/workload.ts'
import { readRecording, type Workload, workloadFromProfile, workloadFromQueries } from '../../advise/workload.ts'
import { Problem } from '../../core/errors.ts'
import { type StartContext } from '../../servers/targets/target.ts'
import { readProfile, splitNamespace } from '../../sources/init/make-spec.ts'
import { readOwnQuery } from '../../sources/init/query/read-query.ts'
import { loadSpecFile } from '../../spec/load-spec.ts'
import { type AdviseFlags, ofQueries } from '../commands/advise.ts'
import { findGiven } from '../options/option.ts'
import { requireUri } from '../options/uris.ts'
import { isRecording } from './ab-replay.ts'
import { findSpec } from './ab.ts'

/** Reads the operations that need indexes. @throws {Problem} "usage" where the command line does not name one source of them. */
export async function readWorkload(
  given: string | undefined,
  flags: AdviseFlags,
  start: StartContext,
): Promise<Workload | SpecWorkload> {
  const { fromProfile: profile, query = [], pipeline = [], index = [], keep } = flags
  const asked = findGiven(ofQueries, flags)
  if (profile !== undefined) {
    if (given !== undefined) throw wrongSource(`--from-profile takes the place of ${given}`)
    requireUri({ get: start.uri })
    return workloadFromProfile(profile, await readProfile(profile, start))
  }
  if (given === undefined) throw wrongSource('There are no operations to advise on')
  if (asked === undefined) {
    if (isRecording(given)) return await readRecording(given)
    if (/^[^./]+\.[^/]+$/.test(given) && !existsSync(given))
      throw wrongSource(`${given} is neither a recording (.mprec) nor a spec`)
    return workloadFromSpec(await loadSpecFile(await findSpec(given)))
  }
  if (isRecording(given) || query.length + pipeline.length === 0)
    throw wrongSource(`${asked} is about queries on a collection`)
  const namespace = splitNamespace('advise', given)
  const { query: _, pipeline: __, ...common } = flags
  const written = [
    ...query.map((one) => readOwnQuery(Object.assign({ query: one }, common))),
    ...pipeline.map((one) => readOwnQuery(Object.assign({ pipeline: one }, keep && { keep }))),
  ]
  const queries = written.flatMap((one) => one ?? [])
  const indexes = index.map((text) => readIndex(text, namespace.collection))
  return workloadFromQueries(namespace, queries, indexes)
}

const wrongSource = (message: string): Problem =>
  new Problem('usage', message, {
    hint: `Name a recording (advise shop.mprec), a spec (advise spec.json), a collection with a query (advise shop.orders --query '{"customer":17}'), or a profile (--from-profile shop).`,
  })
