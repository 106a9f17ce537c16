import { fileURLToPath } from 'node:url'
import { type Json } from '../../src/core/json.ts'
import { type Planted, type PlantedCase } from './planted-case.ts'
import { type PartContext, runCases } from './run-cases.ts'
import { type JudgedCase } from './verdicts.ts'

/** The path of a spec of this bench. */
export const specFile = (name: string): string => fileURLToPath(new URL(`specs/${name}.json`, import.meta.url))

type Parameters = Readonly<Record<string, Json>>

/** Parameters of a spec on both sides. */
type Design = {
  readonly spec: 'projection' | 'document-size' | 'index'
  readonly planted: Planted
  readonly a: Parameters
  readonly b: Parameters
}

/** How much slower B is was measured: see `ab/planted`. */
const designs: readonly Design[] = [
  same('projection', { projection: {} }),
  { spec: 'projection', planted: 0.1, a: { projection: {} }, b: { projection: { a: 1 } } },
  {
    spec: 'projection',
    planted: 0.5,
    a: { projection: {} },
    b: {
      projection: {
        total: { $add: ['$a', '$b'] },
        rest: { $subtract: ['$a', '$b'] },
        area: { $multiply: ['$a', '$b'] },
      },
    },
  },
  same('document-size', { sizeKB: 1 }),
  { spec: 'document-size', planted: 0.1, a: { sizeKB: 1 }, b: { sizeKB: 3.5 } },
  { spec: 'document-size', planted: 0.5, a: { sizeKB: 1 }, b: { sizeKB: 9 } },
  same('index', { indexes: 0 }),
  same('index', { indexes: 1 }),
  { spec: 'index', planted: 0.1, a: { indexes: 3 }, b: { indexes: 4 } },
  { spec: 'index', planted: 0.5, a: { indexes: 1 }, b: { indexes: 5 } },
]

function same(spec: Design['spec'], both: Parameters): Design {
  return { spec, planted: 0, a: both, b: both }
}

/** Ten comparisons on a real server, with designs by turns. */
export const abOnServer = (context: PartContext): Promise<readonly JudgedCase[]> =>
  runDesigns(context.quick ? designs.slice(0, 2) : designs, {}, context)

/** Documents that a find of B returns, where one of A returns 500: half of the time of a call grows with them. */
const limits: Readonly<Record<Exclude<Planted, 0.5>, number>> = { 0: 500, 0.02: 522, 0.05: 554, 0.1: 580 }

/** Finds on a real server, of which those of B return more documents: as many comparisons of each difference, by turns. */
export const readsOnServer = (
  differences: readonly (keyof typeof limits)[],
  context: PartContext,
): Promise<readonly JudgedCase[]> => {
  const reads = differences.map((planted): Design => ({
    spec: 'projection',
    planted,
    a: { limit: limits[0] },
    b: { limit: limits[planted] },
  }))
  return runDesigns(Array.from({ length: context.comparisons }, () => reads).flat(), {}, context)
}

/** How large the planted differences really are: fewer rounds, and longer windows. */
export const plantedOnServer = (context: PartContext): Promise<readonly JudgedCase[]> => {
  const planted = designs.filter((design) => design.planted > 0)
  const [set, rounds] = context.quick ? [{}, context.rounds] : [{ seconds: 3 }, 6]
  return runDesigns(context.quick ? planted.slice(0, 1) : planted, set, { ...context, rounds })
}

/** @param set Parameters of both sides. */
async function runDesigns(
  chosen: readonly Design[],
  set: Parameters,
  context: PartContext,
): Promise<readonly JudgedCase[]> {
  const mongod = await context.mongod()
  const cases = chosen.map(({ spec, planted, a, b }, seed): PlantedCase => ({
    name: `${spec}, A ${JSON.stringify(a)}, B ${JSON.stringify(b)}`,
    planted,
    spec: specFile(spec),
    options: { a: { set: a }, b: { set: b }, set, mongod, seed },
  }))
  return runCases(cases, {}, context)
}
