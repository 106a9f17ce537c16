import { z } from 'zod'
import { counts, planOfQuery, query, unique } from './winning-plan.ts'

/** A stage of a pipeline that runs outside of the query. One that joins counts by itself; other pipelines are in some. */
const pipelineStage = z.looseObject({
  $cursor: query.optional(),
  $geoNearCursor: query.optional(),
  $unionWith: z.object({ pipeline: z.unknown() }).optional(),
  $facet: z.record(z.string(), z.unknown()).optional(),
  nReturned: z.number().optional(),
  collectionScans: z.number().optional(),
  indexesUsed: z.array(z.string()).optional(),
  ...counts.partial().shape,
})

const pipeline = z.object({ stages: z.array(pipelineStage) })
const sharded = z.object({
  shards: z.record(z.string(), z.union([pipeline, query])),
  /** Stages that put the documents of the shards together. */
  splitPipeline: z.object({ mergerPart: z.array(z.record(z.string(), z.unknown())).default([]) }).nullish(),
})
const answer = z.union([pipeline, query, sharded])

type PipelineStage = z.output<typeof pipelineStage>

/** The plan of one call in an answer to `explain`. */
export type QueryPlan = {
  /** From the index or collection up: "IXSCAN customer_1 → FETCH". */
  readonly text: string
  readonly indexes: readonly string[]
  /** Whether a collection is read from its beginning to its end, also by a pipeline inside of this one. Null: not known; `figures` has the reason. */
  readonly scansCollection: boolean | null
  /** A text: why they are not known. */
  readonly figures: QueryMetrics | string
}

/** The number of keys and documents that a query examined, and of documents that it returned. */
export type QueryMetrics = {
  readonly keysExamined: number
  readonly docsExamined: number
  /** Null: not known, as where the documents of shards are put together. */
  readonly docsReturned: number | null
  /** Number of documents that it sorted. Absent: none. */
  readonly docsSorted?: number
}

/** Undefined: the answer has a form that is not known here. */
export function readQueryPlan(explained: unknown): QueryPlan | undefined {
  const { data } = answer.safeParse(explained)
  return data && planOfAnswer(data)
}

const unknownForm = 'mongo-perf cannot read the form of its plan'

/** A plan of which only the reason is known why nothing else is. */
export const unknownPlan = (figures: string): QueryPlan => ({
  text: 'unknown plan',
  indexes: [],
  scansCollection: null,
  figures,
})

const planOfAnswer = (part: z.output<typeof answer>): QueryPlan =>
  'shards' in part ? planOfShards(part) : 'stages' in part ? planOfPipeline(part.stages) : planOfQuery(part)

function planOfShards({ shards, splitPipeline }: z.output<typeof sharded>): QueryPlan {
  const parts = Object.values(shards)
  const plan = combinePlans(parts.map(planOfAnswer))
  const merging = splitPipeline?.mergerPart ?? []
  // Where shards are merged nothing is counted; and a join counts what it reads on its own shard, not on others.
  const unseen = findStage(merging, readsElsewhere) ?? findStage(parts, joins)
  if (unseen !== undefined)
    return { ...plan, scansCollection: plan.scansCollection || null, figures: uncounted(unseen) }
  const returnsTheirs = merging.every((stage) => '$mergeCursors' in stage)
  if (typeof plan.figures === 'string' || returnsTheirs) return plan
  return { ...plan, figures: { ...plan.figures, docsReturned: null } }
}

/** A pipeline begins with the query that reads its collection; what is left of it comes after that. */
function planOfPipeline(stages: readonly PipelineStage[]): QueryPlan {
  const plans = stages.map((stage, i) => planOfStage(stage, stages[i - 1]?.nReturned))
  const { indexes, scansCollection, figures } = combinePlans(plans)
  const last = stages.at(-1)?.nReturned
  return {
    text: plans.flatMap(({ text }) => (text === facetInput ? [] : text)).join(' → '),
    indexes,
    scansCollection,
    figures: typeof figures === 'string' ? figures : { ...figures, docsReturned: last ?? figures.docsReturned },
  }
}

/** The first stage of each pipeline of a `$facet`. */
const facetInput = '$internalFacetTeeConsumer'

const joins = /^\$(?:lookup|graphLookup)$/
/** Stages that may read other collections than the query. */
const readsElsewhere = /^\$(?:lookup|graphLookup|unionWith|merge)$/
/** Stages of which no server reports what they examine; an explained search has 0 documents in all stages, whatever it finds. */
const silent = /^\$(?:graphLookup|merge)$|^\$(?:_internalSearch|search|vectorSearch)/
const uncounted = (name: string): string => `the server does not report what ${name} examines`

/** @param given Number of documents that the stage before returned. */
function planOfStage(stage: PipelineStage, given = 0): QueryPlan {
  const { $facet, $unionWith, nReturned = 0 } = stage
  const docsSorted = '$sort' in stage ? given : 0
  const read = stage.$cursor ?? stage.$geoNearCursor
  if (read !== undefined) return planOfQuery(read)
  if ($facet !== undefined) return nest('$facet', combinePlans(Object.values($facet).map(planOfInner)))
  if ($unionWith !== undefined) return planOfUnion($unionWith.pipeline, nReturned - given)
  const { indexesUsed = [], collectionScans = 0, totalKeysExamined = 0, totalDocsExamined = 0 } = stage
  const name = Object.keys(stage).find((key) => key.startsWith('$')) ?? ''
  // Servers before 5.0 report nothing of a join; others count what its pipelines read, but for these stages.
  const isCounted = name !== '$lookup' || 'totalDocsExamined' in stage
  const unseen = isCounted ? findStage(stage, silent) : name
  const scansCollection = collectionScans > 0 || (unseen !== undefined && joins.test(unseen) ? null : false)
  return {
    text: [name, ...indexesUsed, ...(scansCollection === true ? ['COLLSCAN'] : [])].join(' '),
    indexes: indexesUsed,
    scansCollection,
    figures:
      unseen === undefined
        ? {
            keysExamined: totalKeysExamined,
            docsExamined: totalDocsExamined,
            docsReturned: 0,
            ...(docsSorted > 0 && { docsSorted }),
          }
        : uncounted(unseen),
  }
}

/**
 * The server makes the pipeline again for its plan, as a whole, unless nothing was read of it; its joins count both times.
 * @param taken Number of its documents that were read.
 */
function planOfUnion(inner: unknown, taken: number): QueryPlan {
  const isRead = !Array.isArray(inner) || findStage(inner, /^nReturned$/) !== undefined
  const plan = isRead ? planOfInner(inner) : combinePlans([])
  const { figures } = plan
  if (typeof figures === 'string') return nest('$unionWith', plan)
  const joined = findStage(inner, joins) === undefined ? undefined : uncounted('$lookup inside of $unionWith')
  const isWhole = !isRead || (figures.docsReturned !== null && taken >= figures.docsReturned)
  return nest('$unionWith', { ...plan, figures: (isRead && joined) || (isWhole ? figures : notToItsEnd) })
}

/** @param inner Stages, or the answers of shards. */
const planOfInner = (inner: unknown): QueryPlan =>
  readQueryPlan(Array.isArray(inner) ? { stages: inner } : inner) ?? unknownPlan(unknownForm)

const notToItsEnd = 'the operation may end before $unionWith, which the server explains as a whole'

const nest = (name: string, inner: QueryPlan): QueryPlan => ({
  ...inner,
  text: inner.text === '' ? name : `${name} (${inner.text})`,
})

/** Finds a stage at any depth of what is not explained stage by stage. @returns its name. */
function findStage(spec: unknown, names: RegExp): string | undefined {
  if (typeof spec !== 'object' || spec === null) return undefined
  for (const [key, value] of Object.entries(spec)) {
    const found = names.test(key) ? key : findStage(value, names)
    if (found !== undefined) return found
  }
  return undefined
}

/** Adds up plans that are parts of one. */
export function combinePlans(plans: readonly QueryPlan[]): QueryPlan {
  const figures = plans.flatMap((plan) => (typeof plan.figures === 'string' ? [] : plan.figures))
  const sum = (metric: keyof QueryMetrics): number => figures.reduce((so, one) => so + (one[metric] ?? 0), 0)
  const scans = new Set(plans.map(({ scansCollection }) => scansCollection))
  const docsSorted = sum('docsSorted')
  return {
    text: unique(plans.map(({ text }) => text)).join(' + '),
    indexes: unique(plans.flatMap(({ indexes }) => indexes)),
    scansCollection: scans.has(true) || (scans.has(null) ? null : false),
    figures: whyUnknown(plans) ?? {
      keysExamined: sum('keysExamined'),
      docsExamined: sum('docsExamined'),
      docsReturned: figures.some(({ docsReturned }) => docsReturned === null) ? null : sum('docsReturned'),
      ...(docsSorted > 0 && { docsSorted }),
    },
  }
}

/** Why figures of one of the plans are not known. Undefined: all are. */
export const whyUnknown = (plans: readonly QueryPlan[]): string | undefined =>
  plans.map(({ figures }) => figures).find((figures) => typeof figures === 'string')
