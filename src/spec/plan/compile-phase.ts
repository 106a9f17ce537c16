import { isObject, type Json, type Path } from '../../core/json.ts'
import { expressionsIn, readsVariable } from '../../language/expression.ts'
import { compileValue } from '../../language/values/compile.ts'
import { createDrawContext } from '../../language/values/draw-context.ts'
import { type Counter, createCounter, child } from '../../language/values/scope.ts'
import { orderPairs } from '../../load/courses/alternate.ts'
import { type TransactionSettings } from '../../load/engines/engine.ts'
import { replyTraits } from '../../load/engines/reply-traits.ts'
import { type ParallelPlan, type OperationPlan, type PhasePlan, type StreamPlan } from '../../load/plan/plan.ts'
import { wholePhase } from '../../load/plan/share.ts'
import { maxOutageMs } from '../../servers/faults/injection/timeline.ts'
import { type ChangeStreamSpec } from '../operations/change-stream.ts'
import { type CalledSpec, getOperation, getOperationName, type TransactionSpec } from '../operations/index.ts'
import { defaultAttempts } from '../operations/transaction.ts'
import { resolvePool } from '../schema/connection-pool.ts'
import { type ParallelSpec } from '../schema/parallel-schema.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { splitStep } from './abort-tests.ts'
import { type CallBuilder, type Counted, createCallSource } from './call-source.ts'
import { createChooser } from './choose-operation.ts'
import { compileLoad } from './compile-load.ts'
import { compileMethod, findNamespace, planMethod } from './compile-method.ts'
import { compilePause } from './compile-pause.ts'
import { compileSteps } from './compile-steps.ts'
import { type CompileContext, type DataSet, withOwnNumbers } from './data-set.ts'
import { calledIn, type Entry, streamsIn } from './phase-operations.ts'
import { operationScope, type PhaseScope } from './phase-scope.ts'
import { WorkerMemory } from './worker-memory.ts'

/** Single timings kept of each operation of a phase that asks for them. */
const samplesKept = 100_000

/**
 * Compiles a phase when it begins: pickers count the rows that have been given out by then. The warm-up's rows are not
 * among them, so that what is drawn does not depend on how long the warm-up was. Only distributions that follow inserts, such
 * as "latest", go by the rows that have been answered meanwhile.
 */
export function compilePhase(
  spec: PhaseSpec,
  path: Path,
  dataSets: readonly DataSet[],
  context: CompileContext,
): PhasePlan {
  const load = compileLoad(spec, context.seed, `phases.${spec.name}`)
  const names = calledIn(spec).flatMap((entry) => entry.spec.remember ?? [])
  const createMemory = (): WorkerMemory => new WorkerMemory(names, load.workers)
  const phase: PhaseScope = {
    ...context,
    workers: load.workers,
    memory: createMemory(),
    dataSets: new Map(dataSets.map((dataSet) => [dataSet, dataSet.numbers.next()])),
    counter: () => createCounter(),
    lateCounter: () => createCounter(),
    noteCounted: () => {},
  }
  const pathOf = (index: number): Path => [...path, 'operations', index]
  const called = calledIn(spec)
  return {
    ...spec,
    ...load,
    parallel: spec.parallel && planParallel(spec.parallel, context.seed),
    pool: resolvePool(spec),
    deadlineMs: spec.deadlineSeconds * 1000,
    keepSamples: spec.keepSamples === true ? samplesKept : Number(spec.keepSamples),
    claims: spec.claims,
    retries: spec.retries ?? 'none',
    faults: spec.faults ?? [],
    maxOutageMs: maxOutageMs(spec.faults ?? []),
    pauses: called.some((entry) => entry.spec.pause !== undefined),
    operations: called.map((entry) => planOperation(entry.spec, pathOf(entry.index), phase)),
    streams: streamsIn(spec).map((entry) => compileChangeStream(entry.spec, pathOf(entry.index), phase)),
    calls(pass, budget = {}, share = wholePhase, encodesInto) {
      const place = pass === 'measured' ? `phases.${spec.name}` : `phases.${spec.name}/${pass}`
      const sharesTime = called.some((entry) => entry.spec.share !== undefined)
      const ownCounter = (): Counter => createCounter(share.index, share.of)
      const inPass: PhaseScope = {
        ...phase,
        ...(sharesTime && { counter: ownCounter }),
        lateCounter: ownCounter,
        memory: createMemory(),
        encodesInto,
      }
      const builders = called.map((entry) => callBuilder(entry.spec, pathOf(entry.index), place, inPass))
      const takesLate = builders.some(({ counted }) => counted.kind === 'late rows')
      for (const { numbers } of dataSets)
        numbers.beginPass(numbers.next(), share, sharesTime || takesLate ? 'strided' : 'in order')
      const { seed } = context
      const chooser = createChooser(builders, seed, place, share)
      return createCallSource({ builders, chooser, seed, place, share, budget, dataSets, encodesInto })
    },
    firstCalls(operation, count, part) {
      const place = `phases.${spec.name}`
      const apart = new Map([...phase.dataSets].map(([dataSet, rows]) => [withOwnNumbers(dataSet, rows), rows]))
      const builders = called
        .slice(operation, operation + 1)
        .flatMap((entry) => (part === 'exact' ? withExact(entry) : [entry]))
        .map((entry) =>
          callBuilder(entry.spec, pathOf(entry.index), place, {
            ...phase,
            memory: createMemory(),
            dataSets: apart,
            ...(part === 'exact' && { report: (at, ...why) => context.report(at.map(toExact), ...why) }),
          }),
        )
      if (builders.length === 0) return []
      const { next } = createCallSource({
        builders,
        chooser: createChooser(builders, context.seed, place),
        seed: context.seed,
        place,
        share: wholePhase,
        budget: {},
        dataSets: [...apart.keys()],
      })
      return Array.from({ length: count }, next)
    },
  }
}

/** The operation with the pipeline that returns the right documents, drawn as its own. */
const withExact = (entry: Entry<CalledSpec>): readonly Entry<CalledSpec>[] =>
  'exact' in entry.spec && entry.spec.exact !== undefined
    ? [{ ...entry, spec: { ...entry.spec, pipeline: entry.spec.exact } }]
    : []

const toExact = (step: Path[number]): Path[number] => (step === 'pipeline' ? 'exact' : step)

function planParallel({ phase, from, alternation }: ParallelSpec, seed: number): ParallelPlan {
  const isOn = alternation && orderPairs(alternation.pairs, seed, `phases.${phase}`)
  return { phase, fromSeconds: from, alternation: alternation && isOn && { ...alternation, isOn } }
}

function planOperation(spec: CalledSpec, path: Path, phase: PhaseScope): OperationPlan {
  if (!('steps' in spec)) return planMethod(spec, path, phase)
  const steps = spec.steps.map((step, i) => ({
    ...planMethod(step, [...path, 'steps', i], phase),
    documentIsRead: readsDocument([splitStep(step).reasons, spec.steps.slice(i + 1)] as Json, getOperationName(step)),
    needsReplies: readsVariable(splitStep(step).call as Json, new Set(spec.steps.slice(0, i).map(getOperationName))),
  }))
  const transaction = spec.kind === 'transaction' ? toTransactionSettings(spec) : undefined
  return { name: getOperationName(spec), kind: spec.kind, steps, transaction }
}

const toTransactionSettings = ({
  runner,
  readConcern,
  writeConcern,
  readPreference,
  maxAttempts = defaultAttempts,
}: TransactionSpec): TransactionSettings => ({
  runner,
  readConcern,
  writeConcern,
  readPreference,
  maxAttempts: runner === 'managed' ? maxAttempts : null,
})

/** Whether one of these expressions reads the document in the reply of the named step. */
const readsDocument = (expressions: Json, name: string): boolean =>
  expressionsIn(expressions).some(
    ({ keyword, argument }) =>
      keyword === '@var' &&
      typeof argument === 'string' &&
      (argument === name || argument.startsWith(`${name}.document`)),
  )

function callBuilder(spec: CalledSpec, path: Path, passPlace: string, scope: PhaseScope): CallBuilder {
  const noted: Counted[] = []
  const noteCounted = (counted: Counted): void => void noted.push(counted)
  const countAndNote = (): Counter => {
    noteCounted(anything)
    return scope.counter()
  }
  const phase: PhaseScope = { ...scope, noteCounted, counter: countAndNote }
  const at = { path, place: `${passPlace}.${getOperationName(spec)}` }
  const common = { weight: spec.weight, share: spec.share, pause: compilePause(spec.pause as Json, at, scope) }
  if ('steps' in spec) {
    const build = compileSteps(spec, at, phase)
    return { kind: 'steps', ...common, build, counted: countedBySteps(noted) }
  }
  const { documentsPerCall, carriesDocuments, reply } = getOperation(spec.kind)
  const build = compileMethod(spec, at, phase)
  const isInsert = replyTraits[reply].inserts
  return {
    kind: 'method',
    ...common,
    documentsPerCall: documentsPerCall(spec as never),
    carriesDocuments,
    build,
    counted: isInsert ? countedByInsert(noted) : noted.length === 0 ? nothing : anything,
  }
}

const nothing: Counted = { kind: 'nothing' }
const anything: Counted = { kind: 'anything' }

const countedBySteps = (noted: readonly Counted[]): Counted =>
  noted.find(({ kind }) => kind === 'late rows') ?? (noted.length === 0 ? nothing : anything)

/** An insert that takes the next rows takes one for each of its documents. */
function countedByInsert([first = nothing, ...others]: readonly Counted[]): Counted {
  return others.length === 0 ? first : anything
}

/** Compiles a change stream. It is opened once, so all of it must be known beforehand; what is not is reported. */
function compileChangeStream(spec: ChangeStreamSpec, path: Path, phase: PhaseScope): StreamPlan {
  const { kind, collection } = spec
  const namespace = findNamespace({ collection }, phase, (reason) =>
    phase.report(collection === undefined ? path : [...path, 'collection'], reason),
  )
  const scope = operationScope(phase, { place: '', path, addressed: { collection } })
  const constant = (node: Json, ...steps: Path): unknown => {
    if (expressionsIn(node).every(({ keyword }) => keyword === '@literal'))
      return compileValue(node, child(scope, ...steps))(createDrawContext())
    const reason = 'a change stream is opened once, before the first operation: nothing can be drawn or looked up here'
    phase.report([...path, ...steps], reason)
    return null
  }
  const pipeline = spec.pipeline.map((stage, i) => {
    if (!isObject(stage)) phase.report([...path, 'pipeline', i], 'must be an object')
    return constant(stage, 'pipeline', i)
  })
  return {
    name: getOperationName(spec),
    kind,
    ...namespace,
    pipeline,
    options: Object.fromEntries(
      Object.entries(spec.options).map(([name, node]) => [name, constant(node, 'options', name)]),
    ),
  }
}
