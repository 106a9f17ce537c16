import { basename } from 'node:path'
import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Imported, type WorkloadFile } from '../../spec/ycsb/import-workload.ts'
import { operationName, specName } from '../init/names.ts'
import { applyCommand, readCommand } from '../workloads/commands.ts'
import { DataSets } from '../workloads/data-sets.ts'
import { Findings } from '../workloads/findings.ts'
import { parseYaml, toNumber } from '../workloads/parse-yaml.ts'
import { phaseOf } from '../workloads/phase.ts'
import { Sizes } from '../workloads/sizes.ts'
import { readValue } from '../workloads/values.ts'
import { type Binding, readBinding } from './bindings.ts'

const objectIn = (json: Json | undefined): JsonObject => (isObject(json ?? null) ? (json as JsonObject) : {})

/** What `threads=auto` is, which NoSQLBench takes from the cores of its machine. */
const autoThreads = 8

/** An operation of a block, with what it takes from its block. */
type WrittenOp = { readonly name: string; readonly command: Json; readonly weight: number; readonly bindings: JsonObject; readonly path: Path }

/**
 * Makes a spec of a workload of NoSQLBench for its driver "mongodb": each step of the scenario "default" is a phase.
 * @throws {Problem} "spec-invalid" with all that cannot be imported, "spec-unreadable".
 */
export function importNoSqlBench({ file, text }: WorkloadFile): Imported {
  const findings = new Findings(file)
  const data = new DataSets(findings)
  const sizes = new Sizes()
  const root = objectIn(parseYaml(fillTemplates(text), file))
  const phases: JsonObject[] = []
  const blocks = Object.entries(objectIn(root['blocks']))
  const { default: scenario } = objectIn(root['scenarios'])
  const steps = isObject(scenario ?? null) ? Object.entries(scenario as JsonObject) : blocks.map(([name]) => [name, `run tags==block:${name}`] as const)
  for (const [name, step] of steps) readStep(name, String(step), ['scenarios', 'default', name])
  if (phases.length === 0) findings.refuse(['scenarios'], 'a workload without an operation')
  findings.throwIfRefused()
  const title = basename(file).replace(/\.ya?ml$/, '')
  const spec = {
    name: specName(title),
    title,
    description: `The workload ${title} of NoSQLBench, imported by \`mongo-perf import nosqlbench\`.`,
    ...sizes.json(),
    data: data.json(),
    phases,
  }
  return { spec, remarks: findings.remarks }

  function readStep(name: string, step: string, path: Path): void {
    const options = new Map([...step.matchAll(/(\w+)=+(\S+)/g)].map(([, key = '', value = '']) => [key, value.replaceAll(/["',]/g, '')]))
    const cycles = readCount(options.get('cycles'))
    const operations = opsOf(options.get('tags') ?? '').flatMap((op) => readOp(op) ?? [])
    if (operations.length === 0) return
    const threads = options.get('threads') ?? '1'
    if (threads === 'auto') findings.remark(`threads=auto is ${autoThreads} workers: set "workers" to have others`)
    if (operations.length > 1 && cycles !== undefined) findings.remark('operations of a step are drawn by their ratios, and not in turn')
    const isOnce = cycles === undefined
    const round = operations.length === 1 ? operations : [{ kind: 'steps', name: 'round', steps: operations.map(({ weight: _, ...op }) => op) }]
    const workers = isOnce ? 1 : sizes.use('workers', threads === 'auto' ? autoThreads : Number(threads))
    if (typeof workers === 'number' && Number.isNaN(workers)) findings.refuse(path, `the number of threads ${threads}`)
    const calls = isOnce ? 1 : sizes.use('operations', cycles)
    const load = { name: operationName(name), workers, operations: isOnce ? round : operations, calls, concerns: {} }
    phases.push(phaseOf(name, [load], isOnce ? { measured: false } : {}))
  }

  /** The operations of the blocks that tags choose. */
  function opsOf(tags: string): readonly WrittenOp[] {
    const [, key = 'block', pattern = '.*'] = /^(\w+):(.*)$/.exec(tags) ?? []
    const chosen = new RegExp(`^(?:${pattern})$`)
    return blocks
      .filter(([name, block]) => chosen.test(key === 'block' ? name : String(objectIn(objectIn(block)['tags'])[key])))
      .flatMap(([name, block]) => opsIn(objectIn(block), ['blocks', name]))
  }

  function opsIn(block: JsonObject, path: Path): readonly WrittenOp[] {
    const { ops = {}, bindings, params } = block
    return Object.entries(objectIn(ops)).map(([name, op]) => {
      const { statement, raw = statement, op: command = raw, ratio = objectIn(params)['ratio'] ?? 1, bindings: own } = objectIn(op)
      return {
        name: operationName(name),
        command: isObject(op) ? (command ?? op) : op,
        weight: toNumber(Number(ratio)) ?? 1,
        bindings: { ...objectIn(root['bindings']), ...objectIn(bindings), ...objectIn(own) },
        path: [...path, 'ops', name],
      }
    })
  }

  /** Reads an operation, or carries it out where it belongs to the set-up. */
  function readOp({ name, command, weight, bindings, path }: WrittenOp): (JsonObject & { readonly weight?: Json }) | undefined {
    const used = new Map<string, Binding>()
    const use = (binding: string): Binding => {
      const read = used.get(binding) ?? readBinding(String(bindings[binding]), ['bindings', binding], findings)
      used.set(binding, read)
      return read
    }
    const has = (binding: string): boolean => Object.hasOwn(bindings, binding)
    const parsed = typeof command === 'string' ? parseYaml(command, `${file}: ${name}`) : command
    const read = readValue(parsed, path, {
      findings,
      generator(binding, argument) {
        if (argument !== null || !has(binding)) return undefined
        use(binding)
        return { '@var': binding }
      },
      text(part) {
        const parts = part.split(/(\{\w+\})/).filter((one) => one !== '')
        const values = parts.map((one): Json => (has(one.slice(1, -1)) && use(one.slice(1, -1)) ? { '@var': one.slice(1, -1) } : one))
        const [first = ''] = values
        if (values.every((value) => typeof value === 'string')) return part
        return values.length === 1 && used.get((parts[0] ?? '').slice(1, -1))?.isText ? first : { '@concat': values }
      },
    })
    const written = objectIn(read)
    if (phases.length === 0 && applyCommand(written, data)) return undefined
    if (written['drop'] !== undefined) return void findings.remark('collections are not dropped at the end: a server that is started for the run is gone then')
    const operation = readCommand(withoutConcerns(written), path, findings)
    if (operation === undefined) return undefined
    const { kind = '', collection, ...others } = operation
    if (typeof collection === 'string') data.use(collection)
    const lets = used.size === 0 ? {} : { let: Object.fromEntries([...used].map(([binding, { json }]) => [binding, json])) }
    return { kind, name, ...(weight !== 1 && { weight }), ...(collection !== undefined && { collection }), ...lets, ...others }
  }

  /** Concerns of a command are those that a phase has by default, or refused. */
  function withoutConcerns({ writeConcern, readConcern, ...command }: JsonObject): JsonObject {
    if (writeConcern !== undefined && objectIn(writeConcern)['w'] !== 'majority') findings.refuse(['blocks'], 'a write concern other than majority')
    if (readConcern !== undefined && objectIn(readConcern)['level'] !== 'local') findings.refuse(['blocks'], 'a read concern other than local')
    return command
  }
}

/** `TEMPLATE(name,default)` and `<<name:default>>` become their defaults, from the inside out. */
function fillTemplates(text: string): string {
  const filled = text.replaceAll(/TEMPLATE\(\s*[\w-]+\s*,([^()]*)\)|<<[\w-]+:([^<>]*)>>/g, (_, one?: string, other?: string) => (one ?? other ?? '').trim())
  return filled === text ? text : fillTemplates(filled)
}

const thousands: Readonly<Record<string, number>> = { '': 1, K: 1000, M: 1_000_000, B: 1_000_000_000 }

/** Cycles: a number, also "10M", or from one to below another. Undefined: each operation once. */
function readCount(text: string | undefined): number | undefined {
  const numbers = (text ?? '').split('..').map((part) => {
    const [, digits, unit = ''] = /^([\d_]+)([KMB]?)$/.exec(part) ?? []
    return digits === undefined ? Number.NaN : Number(digits.replaceAll('_', '')) * (thousands[unit] ?? 1)
  })
  const [from = Number.NaN, to] = numbers
  const count = to === undefined ? from : to - from
  return Number.isNaN(count) ? undefined : count
}
