import { type Json } from '../json.ts'
import { type Kind } from './kinds.ts'
import { type Scalars } from './shape.ts'

/** In a smaller sample nothing can be told of repeats. */
const minSampled = 20
/** Sample and collection agree on how many different values there are when hardly any was seen only once. */
const saturated = 0.1

/**
 * How many different values stand at a place, as a number or as a share of the documents. Undefined where (nearly) all
 * differ, or where the range alone repeats them often enough.
 */
export function numberOfValues(
  kind: Kind,
  scalars: Scalars,
  {
    documents,
    sampled,
    parameter,
  }: { readonly documents: number; readonly sampled: number; readonly parameter: string },
): Json | undefined {
  const { count, seen, min, max } = scalars
  const different = seen.size
  if (count < minSampled || different >= 0.9 * count || kind === 'other') return undefined
  const isNarrow = (kind === 'int' || kind === 'long') && Number(max) - Number(min) < 2 * different
  if (isNarrow) return undefined
  const once = [...seen.values()].filter(({ count: often }) => often === 1).length
  if (once <= saturated * different) return different
  const all = estimate(different, once, Math.max(1, documents / Math.max(1, sampled)))
  const documentsEach = Math.round(documents / all)
  if (documentsEach < 2) return undefined
  return { '@ceil': { '@divide': [{ '@param': parameter }, documentsEach] } }
}

/**
 * The estimator GEE of Charikar, Chaudhuri, Motwani and Narasayya, "Towards estimation error guarantees for distinct
 * values", PODS 2000: values seen once stand for as many as the square root of the sampling ratio, the others for themselves.
 */
const estimate = (different: number, once: number, ratio: number): number => Math.sqrt(ratio) * once + different - once
