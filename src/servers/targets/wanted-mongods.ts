import { listServerOptions, type TargetSpec } from './index.ts'
import { type WantedBinary } from './server/programs/find-program.ts'

/** The binaries that a target starts, one for each of its servers. */
export const wantedMongods = (target: TargetSpec): readonly WantedBinary[] =>
  listServerOptions(target).map(({ binary, version }) => ({ binary, version }))
