import { type TargetSpec } from './index.ts'
import { resolveServerOptions, type ServerOptions } from './server/server-options.ts'
import { type WantedMongod } from './server/sources/source.ts'

/** The binaries that a target starts, one for each of its servers. */
export function wantedMongods(target: TargetSpec): readonly WantedMongod[] {
  switch (target.kind) {
    case 'existing':
      return []
    case 'standalone':
      return [wanted(target.server)]
    case 'replicaSet':
      return target.members.map(({ server }) => wanted(target.server, server))
  }
}

function wanted(ofTarget?: ServerOptions, ofMember?: ServerOptions): WantedMongod {
  const { binary, version } = resolveServerOptions(ofTarget, ofMember)
  return { binary, version }
}
