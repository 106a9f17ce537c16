import { type Json } from '../../core/json.ts'
import { type Kind } from './kinds.ts'
import { type Scalars } from './shape.ts'

/** A smaller sample shows nothing about repeated values. */
const minSampled = 20
/** The sample holds all distinct values of the collection when at most this share of them occurred only once. */
const saturated = 0.1

/**
 * The number of distinct values at a place, as a number or as a share of the documents. Undefined if (nearly) all
 * differ, or if values drawn from the range repeat often enough anyway.
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
  const distinct = seen.size
  if (count < minSampled || distinct >= 0.9 * count || kind === 'other') return undefined
  const isNarrow = (kind === 'int' || kind === 'long') && Number(max) - Number(min) < 2 * distinct
  if (isNarrow) return undefined
  const once = [...seen.values()].filter((value) => value.count === 1).length
  if (once <= saturated * distinct) return distinct
  const all = estimate(distinct, once, Math.max(1, documents / Math.max(1, sampled)))
  const documentsEach = Math.round(documents / all)
  if (documentsEach < 2) return undefined
  return { '@ceil': { '@divide': [{ '@param': parameter }, documentsEach] } }
}

/**
 * The estimator GEE of Charikar, Chaudhuri, Motwani and Narasayya, "Towards estimation error guarantees for distinct
 * values", PODS 2000: a value seen once counts as many times as the square root of the sampling ratio, any other value once.
 */
const estimate = (distinct: number, once: number, ratio: number): number => Math.sqrt(ratio) * once + distinct - once
