import { formatQuantity, groupDigits } from '../../core/quantities.ts'
import { DrawBudget, largestDocument, OutOfBudget } from '../../language/values/draw-context.ts'
import { type StopAfter } from '../../load/plan/plan.ts'
import { searchWords } from '../../metrics/search-words.ts'
import { sum } from '../../metrics/statistics.ts'
import { nameOfFault } from '../../servers/faults/index.ts'
import { toDatabaseName } from '../../servers/targets/ownership.ts'
import { type LoadedSpec, type Spec, type SpecRow } from '../../spec/load-spec.ts'
import { getOperationName } from '../../spec/operations/index.ts'
import { planSeconds, resolveStopAfter } from '../../spec/plan/compile-load.ts'
import { createDataSet } from '../../spec/plan/data-set.ts'
import { isSearch, listLimits } from '../../spec/plan/search-steps.ts'
import { resolvePool } from '../../spec/schema/connection-pool.ts'
import { type PhaseSpec } from '../../spec/schema/phase-schema.ts'
import { durationText } from '../terminal/show-progress.ts'

const rowsShown = 20

/** Describes what a spec would do: rows, namespaces, size of the data, calls. */
export function describePlan(spec: LoadedSpec): string {
  const { rows, repeat } = spec
  const budget = new DrawBudget(largestDocument)
  const runs = rows.length * repeat.times
  const time = describeTime(rows, repeat.times)
  const untried = `  the values of ${formatQuantity(spec.untried, 'part')} ("data" or "phases") were not validated: earlier ones are too large`
  const lines = [
    `${spec.file}: ${spec.title}`,
    `  ${formatQuantity(rows.length, 'row')}${repeat.times > 1 ? `, ${repeat.times} times each: ${runs} runs` : ''}; seed ${spec.seed}; hash ${spec.hash.slice(0, 12)}`,
    ...(time === undefined ? [] : [`  ${time.text}`]),
    ...rows.slice(0, rowsShown).flatMap((row) => rowLines(row, budget)),
    ...(spec.untried > 0 ? [untried] : []),
    ...(rows.length > rowsShown ? [`  and ${formatQuantity(rows.length - rowsShown, 'more row')}`] : []),
  ]
  return lines.join('\n')
}

/**
 * "about 8 min: 12 runs of 40 s, plus starting servers and loading data"; "at least …" where a phase ends by what it finds, or after operations.
 * Undefined: the spec sets no time.
 */
export function describeTime(rows: readonly SpecRow[], times: number): { seconds: number; text: string } | undefined {
  const planned = rows.flatMap(({ spec }) => spec.phases.map(planSeconds))
  const [seconds, runs] = [sum(planned.map((one) => one ?? 0)) * times, rows.length * times]
  if (seconds === 0) return undefined
  const each = runs === 1 ? '' : `: ${runs} runs of ${durationText(seconds / runs)}`
  const bound = planned.includes(undefined) ? 'at least' : 'about'
  return { seconds, text: `${bound} ${durationText(seconds)}${each}, plus starting servers and loading data` }
}

export const planJson = ({ rows }: LoadedSpec): string =>
  `${JSON.stringify(
    rows.map(({ label, parameters, spec }) => ({ label, parameters: Object.fromEntries(parameters), spec })),
    null,
    2,
  )}\n`

function rowLines({ label, spec }: SpecRow, budget: DrawBudget): readonly string[] {
  const data = spec.data.map((dataSet, i) => dataLine(dataSet, i, spec, budget))
  return [
    `  ${label === '' ? 'the only row' : label}: ${targetText(spec.target)}`,
    ...data,
    ...spec.phases.map(phaseLine),
  ]
}

/** Units are plurals: "seconds", "operations", "documents". */
const amount = ([units, n = 0]: readonly [units: string, n: number | undefined]): string =>
  formatQuantity(n, units.replace(/s$/, ''))

function targetText(target: Spec['target']): string {
  if (target.kind === 'existing') return `the server of ${target.uriFrom}`
  if (target.kind === 'standalone') return 'a standalone server'
  if (target.kind === 'sharded') return clusterText(target)
  return `a replica set of ${formatQuantity(typeof target.members === 'number' ? target.members : target.members.length, 'member')}`
}

function clusterText({ shards, configServers, routers }: Extract<Spec['target'], { kind: 'sharded' }>): string {
  const members = sum(shards.map((shard) => shard.members.length))
  const parts = [
    formatQuantity(members, 'member'),
    formatQuantity(configServers, 'config server'),
    formatQuantity(routers, 'router'),
  ]
  return `a sharded cluster of ${formatQuantity(shards.length, 'shard')} (${parts.join(', ')})`
}

function dataLine(dataSet: Spec['data'][number], i: number, spec: Spec, budget: DrawBudget): string {
  const { collection, existing, indexes, sharding } = dataSet
  if (existing !== undefined) return `    data ${existing}: existing, used as it is`
  const indexText =
    indexes.length > 0 ? `, ${formatQuantity(indexes.length, 'index').replace(/indexs$/, 'indexes')}` : ''
  return `    data ${toDatabaseName(spec.name)}.${collection}: ${rowsText(dataSet, i, spec, budget)}${indexText}${shardingText(sharding)}`
}

function shardingText(sharding: Spec['data'][number]['sharding']): string {
  if (sharding === undefined) return ''
  const { key, splitAt } = sharding
  return `, sharded by ${JSON.stringify(key)}${splitAt.length > 0 ? ` in ${splitAt.length + 1} chunks` : ''}`
}

function rowsText(dataSet: Spec['data'][number], i: number, { seed, data }: Spec, budget: DrawBudget): string {
  const { file, rows } = dataSet
  if (file !== undefined)
    return `${rows > 0 ? `the first ${formatQuantity(rows, 'document')}` : 'all documents'} of ${file}`
  const { length: several } = dataSet.collections ?? []
  if (rows === 0) return several === 0 ? 'empty' : `${formatQuantity(several, 'empty collection')}`
  const inEach = several === 0 ? '' : `${formatQuantity(several, 'collection')} of `
  const context = { seed, report: () => {}, budget, data }
  const bytes = withinBudget(() => createDataSet(dataSet, ['data', i], context).documentOf?.(0).bytes)
  return `${inEach}${formatQuantity(rows, 'document')}${bytes === undefined ? '' : `, about ${sizeText(bytes * rows * (several || 1))}`}`
}

/** Undefined where the budget is used up: of many large documents only the first are drawn. */
function withinBudget<Made>(make: () => Made): Made | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error
    return undefined
  }
}

const sizeText = (bytes: number): string =>
  bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KB` : `${Math.round(bytes / 1024 ** 2)} MB`

function phaseLine(phase: PhaseSpec): string {
  const { name, engine, warmup, operations, measured, faults = [] } = phase
  const warm = warmup ? `, after ${Object.entries(warmup).map(amount).join('')} of warm-up` : ''
  return `    ${measured ? 'phase' : 'set-up'} ${name}: ${[parallelText(phase), loadText(phase), engineTexts[engine], endText(resolveStopAfter(phase))].filter((part) => part !== '').join(', ')}${warm}: ${operations.map(getOperationName).join(', ')}${faultsText(faults)}`
}

/** "in mixed from 5 s", of one of several loads. */
const parallelText = ({ parallel }: PhaseSpec): string =>
  parallel === undefined ? '' : `in ${parallel.phase}${parallel.from > 0 ? ` from ${parallel.from} s` : ''}`

function endText({ precisionPercent, ...limits }: StopAfter): string {
  const ends = Object.entries(limits).map(amount).join(' or ')
  return precisionPercent === undefined ? ends : `until ±${precisionPercent} %, at most ${ends}`
}

const engineTexts: Readonly<Record<PhaseSpec['engine'], string>> = { driver: '', wire: 'engine wire' }

function loadText(phase: PhaseSpec): string {
  const { threads = 1 } = phase.load
  const pool = resolvePool(phase)
  const connections = pool === undefined ? '' : ` over ${formatQuantity(pool.maxPoolSize, 'connection')}`
  return `${whoCalls(phase.load)}${connections}${threads > 1 ? ` on ${threads} threads` : ''}`
}

function whoCalls(load: PhaseSpec['load']): string {
  if (load.kind === 'open') return `${rateText(load)} operations/s, at most ${groupDigits(load.maxInFlight)} in flight`
  if (!isSearch(load)) return formatQuantity(load.workers, 'worker')
  const limits = listLimits(load).map((limit) => `, ${limit}`)
  return `${load.kind} from ${load.from} to ${searchWords[load.kind].formatPlace(load.to)}${limits.join('')}, in steps of at least ${formatQuantity(load.secondsPerStep, 'second')}`
}

/** "3000", or "200 to 3000" over stages. */
function rateText({ ratePerSecond, stages = [] }: Extract<PhaseSpec['load'], { kind: 'open' }>): string {
  const rates = stages.flatMap((stage) => [stage.ratePerSecond, stage.toRatePerSecond ?? stage.ratePerSecond])
  const [min, max] = [Math.min(...rates), Math.max(...rates)]
  const ends = ratePerSecond === undefined ? [...new Set([min, max])] : [ratePerSecond]
  return ends.map(groupDigits).join(' to ')
}

const faultsText = (faults: NonNullable<PhaseSpec['faults']>): string =>
  faults.length === 0
    ? ''
    : `; faults: ${faults.map((fault) => `${nameOfFault(fault)} at ${fault.atSeconds} s`).join(', ')}`
