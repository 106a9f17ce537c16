import { refuseUnread } from '../../run/preflight/unread-uris.ts'
import { readComparison } from '../../sources/init/comparison/spec-of-comparison.ts'
import { type MadeSpec } from '../../sources/init/draft.ts'
import { specFromCollection, specFromProfile, specFromRecording } from '../../sources/init/make-spec.ts'
import { readOwnQuery } from '../../sources/init/query/read-query.ts'
import { type CliContext } from '../cli-context.ts'
import { type InitFlags } from '../commands/init.ts'
import { readUris, requireUri } from '../options/uris.ts'
import { createContextFromFlags } from '../start-context.ts'

/** Makes a spec of a collection, a profile or a recording, for data like the server's. */
export async function makeSpecFromServer(flags: InitFlags, cli: CliContext): Promise<MadeSpec> {
  const uris = readUris(flags.uri, cli.env)
  requireUri(uris)
  refuseUnread(uris.named, new Set(['MONGO_PERF_URI']))
  const comparison = readComparison(flags.index, flags.writeConcerns)
  const query = readOwnQuery(flags)
  await using start = createContextFromFlags(flags, uris, cli)
  cli.rewrite(describeReading(flags))
  const options = { sample: flags.sample, keepValues: flags.values }
  if (flags.fromRecording !== undefined) return await specFromRecording(flags.fromRecording, options, start)
  if (flags.fromProfile !== undefined) return await specFromProfile(flags.fromProfile, options, start)
  const asked = { existing: flags.existing === true, ...(comparison && { comparison }), ...(query && { query }) }
  return await specFromCollection(flags.from ?? '', { ...options, ...asked }, start)
}

/** Describes what takes time before the spec is there. */
function describeReading({ from, fromProfile, fromRecording, sample }: InitFlags): string {
  if (fromRecording !== undefined)
    return `reading ${fromRecording}, then ${sample} documents of each of its collections`
  if (fromProfile !== undefined)
    return `reading the profile of ${fromProfile}, then ${sample} documents of each collection`
  return `reading ${sample} documents of ${from}`
}
