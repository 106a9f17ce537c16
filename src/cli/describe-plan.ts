import { type LoadedSpec } from '../load-spec.ts'
import { nameOf } from '../plan/names.ts'
import { createDataSet } from '../plan/data-set.ts'
import { type PhaseSpec } from '../spec/phase-schema.ts'
import { type Spec, type SpecRow } from '../load-spec.ts'

const rowsShown = 20

/** What a spec would do: rows, namespaces, size of the data, calls. */
export function describePlan(spec: LoadedSpec): string {
  const { rows, repeat } = spec
  const runs = rows.length * repeat.times
  const lines = [
    `${spec.file}: ${spec.title}`,
    `  ${count(rows.length, 'row')}${repeat.times > 1 ? `, ${repeat.times} times each: ${runs} runs` : ''}; seed ${spec.seed}; hash ${spec.hash.slice(0, 12)}`,
    ...rows.slice(0, rowsShown).flatMap((row) => rowLines(row, spec.name)),
    ...(rows.length > rowsShown ? [`  and ${count(rows.length - rowsShown, 'more row')}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

export const planJson = ({ rows }: LoadedSpec): string =>
  `${JSON.stringify(
    rows.map(({ label, parameters, spec }) => ({ label, parameters: Object.fromEntries(parameters), spec })),
    null,
    2,
  )}\n`

function rowLines({ label, spec }: SpecRow, name: string): readonly string[] {
  const data = spec.data.map((dataSet, i) => dataLine(dataSet, i, spec, name))
  return [
    `  ${label === '' ? 'the one row' : label}: ${targetText(spec.target)}`,
    ...data,
    ...spec.phases.map(phaseLine),
  ]
}

/** Units are plurals: "seconds", "operations", "documents". */
const amount = ([units, n = 0]: readonly [units: string, n: number | undefined]): string =>
  count(n, units.replace(/s$/, ''))
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

function targetText(target: Spec['target']): string {
  if (target.kind === 'existing') return `the server of ${target.uriFrom}`
  if (target.kind === 'standalone') return 'a standalone server'
  return `a replica set of ${count(typeof target.members === 'number' ? target.members : target.members.length, 'member')}`
}

function dataLine(dataSet: Spec['data'][number], i: number, { seed }: Spec, name: string): string {
  const { documentOf } = createDataSet(dataSet, ['data', i], { seed, report: () => {} })
  const bytes = dataSet.rows > 0 ? (documentOf?.(0).bytes ?? 0) * dataSet.rows : 0
  const load = bytes > 0 ? `${count(dataSet.rows, 'document')}, about ${sizeText(bytes)}` : 'empty'
  return `    data mongoperf_${name.replaceAll('-', '_')}.${dataSet.collection}: ${load}${dataSet.indexes.length > 0 ? `, ${count(dataSet.indexes.length, 'index').replace(/indexs$/, 'indexes')}` : ''}`
}

const sizeText = (bytes: number): string =>
  bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KB` : `${Math.round(bytes / 1024 ** 2)} MB`

function phaseLine({ name, load, warmup, stopAfter, operations, measured }: PhaseSpec): string {
  const ends = Object.entries(stopAfter).map(amount)
  const warm = warmup ? `, after ${Object.entries(warmup).map(amount).join('')} of warm-up` : ''
  return `    ${measured ? 'phase' : 'set-up'} ${name}: ${count(load.workers, 'worker')}, ${ends.join(' or ')}${warm}: ${operations.map(nameOf).join(', ')}`
}
