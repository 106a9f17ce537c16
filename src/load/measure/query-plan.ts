import { z } from 'zod'

/** A stage of a winning plan. Servers of 6.0 and newer put it into `queryPlan` where the slot-based engine runs it. */
const planStage = z.object({
  stage: z.string().optional(),
  indexName: z.string().optional(),
  /** How a join finds its documents. */
  strategy: z.string().optional(),
  get queryPlan() {
    return planStage.optional()
  },
  get inputStage() {
    return planStage.optional()
  },
  get inputStages() {
    return z.array(planStage).optional()
  },
  get thenStage() {
    return planStage.optional()
  },
  get elseStage() {
    return planStage.optional()
  },
  get outerStage() {
    return planStage.optional()
  },
  get innerStage() {
    return planStage.optional()
  },
  get shards() {
    return z.array(z.object({ winningPlan: planStage })).optional()
  },
})

const counts = z.object({
  totalKeysExamined: z.number(),
  totalDocsExamined: z.number(),
})

const query = z.object({
  queryPlanner: z.object({ winningPlan: planStage }),
  executionStats: counts.extend({ nReturned: z.number(), executionSuccess: z.boolean().default(true) }).optional(),
})

/** A stage of a pipeline that runs outside of the query: one that looks into other collections counts by itself. */
const pipelineStage = z
  .object({
    $cursor: query,
    $geoNearCursor: query,
    nReturned: z.number(),
    collectionScans: z.number(),
    indexesUsed: z.array(z.string()),
    ...counts.shape,
  })
  .partial()
  .catchall(z.unknown())

const pipeline = z.object({ stages: z.array(pipelineStage) })
const answer = z.union([pipeline, query, z.object({ shards: z.record(z.string(), z.union([pipeline, query])) })])

type PlanStage = z.output<typeof planStage>
type PipelineStage = z.output<typeof pipelineStage>
type Query = z.output<typeof query>

/** The plan of one call in an answer to `explain`. */
export type QueryPlan = {
  /** From the index or collection up: "IXSCAN customer_1 → FETCH". */
  readonly text: string
  readonly indexes: readonly string[]
  /** Whether a collection is read from its beginning to its end. */
  readonly scansCollection: boolean
  /** A text: why they are not known. */
  readonly figures: QueryMetrics | string
}

const late = 'the server did not get through with the call in time'
/** An explained search has 0 documents in all stages, whatever a call finds. */
const searched = 'the server does not count what a search examines and returns'
const searches = /^\$(?:_internalSearch|search|vectorSearch)/

/** The number of keys and documents that a query examined, and of documents that it returned. */
export type QueryMetrics = {
  readonly keysExamined: number
  readonly docsExamined: number
  readonly docsReturned: number
}

/** Undefined: the answer has a form that is not known here. */
export function readQueryPlan(explained: unknown): QueryPlan | undefined {
  const { data } = answer.safeParse(explained)
  if (data === undefined) return undefined
  return 'shards' in data ? together(Object.values(data.shards).map(parseQueryPlan)) : parseQueryPlan(data)
}

const parseQueryPlan = (part: z.output<typeof pipeline> | Query): QueryPlan =>
  'stages' in part ? planOfPipeline(part.stages) : planOfQuery(part)

function planOfQuery({ queryPlanner: { winningPlan }, executionStats }: Query): QueryPlan {
  const stages = stagesIn(winningPlan)
  return {
    text: formatPlan(winningPlan),
    indexes: unique(stages.flatMap(listIndexNames)),
    scansCollection: stages.some(scans),
    figures:
      executionStats?.executionSuccess === true
        ? {
            keysExamined: executionStats.totalKeysExamined,
            docsExamined: executionStats.totalDocsExamined,
            docsReturned: executionStats.nReturned,
          }
        : late,
  }
}

/** A pipeline begins with the query that reads its collection; what is left of it comes after that. */
function planOfPipeline(stages: readonly PipelineStage[]): QueryPlan {
  const plans = stages.map(planOfStage)
  const { indexes, scansCollection, figures } = together(plans)
  const last = stages.at(-1)?.nReturned
  return {
    text: plans.map(({ text }) => text).join(' → '),
    indexes,
    scansCollection,
    figures: typeof figures === 'string' ? figures : { ...figures, docsReturned: last ?? figures.docsReturned },
  }
}

function planOfStage(stage: PipelineStage): QueryPlan {
  const read = stage.$cursor ?? stage.$geoNearCursor
  if (read !== undefined) return planOfQuery(read)
  const { indexesUsed = [], collectionScans = 0, totalKeysExamined = 0, totalDocsExamined = 0 } = stage
  const scansCollection = collectionScans > 0
  const name = Object.keys(stage).find((key) => key.startsWith('$')) ?? ''
  return {
    text: [name, ...indexesUsed, ...(scansCollection ? ['COLLSCAN'] : [])].join(' '),
    indexes: indexesUsed,
    scansCollection,
    figures: searches.test(name)
      ? searched
      : { keysExamined: totalKeysExamined, docsExamined: totalDocsExamined, docsReturned: 0 },
  }
}

function together(plans: readonly QueryPlan[]): QueryPlan {
  const figures = plans.flatMap((plan) => (typeof plan.figures === 'string' ? [] : plan.figures))
  const sum = (metric: keyof QueryMetrics): number => figures.reduce((so, one) => so + one[metric], 0)
  return {
    text: unique(plans.map(({ text }) => text)).join(' + '),
    indexes: unique(plans.flatMap(({ indexes }) => indexes)),
    scansCollection: plans.some(({ scansCollection }) => scansCollection),
    figures: whyUnknown(plans) ?? {
      keysExamined: sum('keysExamined'),
      docsExamined: sum('docsExamined'),
      docsReturned: sum('docsReturned'),
    },
  }
}

/** Why figures of one of the plans are not known. Undefined: all are. */
export const whyUnknown = (plans: readonly QueryPlan[]): string | undefined =>
  plans.map(({ figures }) => figures).find((figures) => typeof figures === 'string')

/** Stages that find documents by their `_id` and name no index. */
const byId = new Set(['IDHACK', 'CLUSTERED_IXSCAN', 'EXPRESS_CLUSTERED_IXSCAN'])

function listIndexNames({ stage = '', indexName }: PlanStage): readonly string[] {
  if (indexName !== undefined) return [indexName]
  return byId.has(stage) ? ['_id_'] : []
}

const joinsThatScan = new Set(['NestedLoopJoin', 'HashJoin'])

const scans = ({ stage, strategy = '' }: PlanStage): boolean => stage === 'COLLSCAN' || joinsThatScan.has(strategy)

const stagesIn = (plan: PlanStage): readonly PlanStage[] => [plan, ...listInputStages(plan).flatMap(stagesIn)]

function listInputStages(plan: PlanStage): readonly PlanStage[] {
  const { queryPlan, inputStage, inputStages = [], thenStage, elseStage, outerStage, innerStage, shards = [] } = plan
  const named = [queryPlan, inputStage, ...inputStages, thenStage, elseStage, outerStage, innerStage]
  return [...named, ...shards.map(({ winningPlan }) => winningPlan)].filter((input) => input !== undefined)
}

function formatPlan(plan: PlanStage): string {
  const { stage, strategy, indexName } = plan
  const own = [stage, strategy, indexName].filter((word) => word !== undefined).join(' ')
  const inputs = unique(listInputStages(plan).map(formatPlan))
  const below = inputs.length > 1 ? `(${inputs.join(' + ')})` : (inputs[0] ?? '')
  return [below, own].filter((text) => text !== '').join(' → ')
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]
