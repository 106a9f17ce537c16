import type * as hdr from 'hdr-histogram-js'
import { isFromSource, requireFromPackage } from './package-root.ts'

let loaded: typeof hdr | undefined

/** The package of histograms, loaded when the first one is read or written: it takes as much memory as all else that reading a result needs. */
export function hdrHistogram(): typeof hdr {
  loaded ??= requireFromPackage(isFromSource ? 'hdr-histogram-js' : './dist/hdr-histogram.cjs') as typeof hdr
  return loaded
}
