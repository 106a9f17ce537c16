import { createRequire } from 'node:module'
import type * as hdr from 'hdr-histogram-js'

let loaded: typeof hdr | undefined

/** The package of histograms, loaded when the first one is read or written: it takes as much memory as all else that reading a result needs. */
export function hdrHistogram(): typeof hdr {
  loaded ??= createRequire(import.meta.url)('hdr-histogram-js') as typeof hdr
  return loaded
}
