import { z } from 'zod'
import { type QueryMetrics, type QueryPlan } from './query-plan.ts'

/** A stage of a winning plan, whatever it has. */
const planStage = z.record(z.string(), z.unknown())

/** Numbers of keys and documents that a query, or a join with its pipelines, examined. */
export const counts = z.object({
  totalKeysExamined: z.number(),
  totalDocsExamined: z.number(),
})

const executionStats = counts.extend({
  nReturned: z.number(),
  executionSuccess: z.boolean().default(true),
  /** How often the classic engine asked for a document, and how often the slot-based one began. */
  executionStages: z.looseObject({ works: z.number().optional(), opens: z.number().optional() }).optional(),
})

/** A query in an answer to `explain`. */
export const query = z.object({
  queryPlanner: z.object({ winningPlan: planStage }),
  executionStats: executionStats.optional(),
})

type PlanStage = z.output<typeof planStage>

const late = 'the server did not get through the operation in time'
/** A query inside of a pipeline is closed, and its counts are lost, when a stage after it has enough. */
const lost = 'the server does not report what a query inside of the pipeline examined'

/** Reads the plan of a query, and what it examined. */
export function planOfQuery({
  queryPlanner: { winningPlan },
  executionStats: stats,
}: z.output<typeof query>): QueryPlan {
  const stages = stagesIn(winningPlan)
  return {
    text: formatPlan(winningPlan),
    indexes: unique(stages.flatMap(listIndexNames)),
    scansCollection: stages.some(scans),
    figures: readFigures(stats),
  }
}

function readFigures(stats: z.output<typeof executionStats> | undefined): QueryMetrics | string {
  if (stats?.executionSuccess !== true) return late
  const { works, opens } = stats.executionStages ?? {}
  if (works === 0 || opens === 0) return lost
  return {
    keysExamined: stats.totalKeysExamined,
    docsExamined: stats.totalDocsExamined,
    docsReturned: stats.nReturned,
    ...countSorted(stats.executionStages),
  }
}

/** Counts the documents that stages sort, by what the stage before each returned. Nothing where none are sorted. */
function countSorted(executed: PlanStage = {}): Pick<QueryMetrics, 'docsSorted'> {
  const docsSorted = stagesIn(executed)
    .filter(({ stage }) => typeof stage === 'string' && /^sort$/i.test(stage))
    .flatMap(listInputStages)
    .reduce((sum, { nReturned }) => sum + Number(nReturned ?? 0), 0)
  return docsSorted > 0 ? { docsSorted } : {}
}

/** Stages that find documents by their `_id` and name no index. */
const byId = new Set(['IDHACK', 'CLUSTERED_IXSCAN', 'EXPRESS_CLUSTERED_IXSCAN'])

function listIndexNames({ stage, indexName }: PlanStage): readonly string[] {
  if (typeof indexName === 'string') return [indexName]
  return typeof stage === 'string' && byId.has(stage) ? ['_id_'] : []
}

const joinsThatScan: ReadonlySet<unknown> = new Set(['NestedLoopJoin', 'HashJoin'])

const scans = ({ stage, strategy }: PlanStage): boolean => stage === 'COLLSCAN' || joinsThatScan.has(strategy)

const stagesIn = (plan: PlanStage): readonly PlanStage[] => [plan, ...listInputStages(plan).flatMap(stagesIn)]

/** The place of a stage's plan. Servers of 6.0 and newer put a plan into `queryPlan` where the slot-based engine runs it. */
const inputs: ReadonlySet<string> = new Set(
  'queryPlan inputStage inputStages thenStage elseStage outerStage innerStage shards winningPlan'.split(' '),
)

const listInputStages = (plan: PlanStage): readonly PlanStage[] =>
  Object.entries(plan)
    .filter(([name]) => inputs.has(name))
    .flatMap(([, input]) => (Array.isArray(input) ? (input as unknown[]) : [input]))
    .map((input) => planStage.safeParse(input).data)
    .filter((stage) => stage !== undefined)

function formatPlan(plan: PlanStage): string {
  const { stage, strategy, indexName } = plan
  const own = [stage, strategy, indexName].filter((word) => typeof word === 'string').join(' ')
  const below = unique(listInputStages(plan).map(formatPlan))
  return [below.length > 1 ? `(${below.join(' + ')})` : (below[0] ?? ''), own].filter((text) => text !== '').join(' → ')
}

export const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]
