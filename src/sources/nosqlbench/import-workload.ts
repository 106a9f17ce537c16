import { type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Imported, type WorkloadFile } from '../../spec/ycsb/import-workload.ts'
import { operationName } from '../init/names.ts'
import { matches } from '../mongo-perf/recorded.ts'
import { applyCommand, readCommand } from '../workloads/commands.ts'
import { objectIn, parseYaml, toNumber } from '../workloads/parse-yaml.ts'
import { createPhase } from '../workloads/phase.ts'
import { notDropped, SpecDraft } from '../workloads/spec-draft.ts'
import { readValue } from '../workloads/values.ts'
import { type Binding, readBinding } from './bindings.ts'

/** Threads of `threads=auto`, which NoSQLBench takes from the cores of its machine. */
const autoThreads = 8

/** An operation of a block. */
type WrittenOp = {
  readonly name: string
  readonly command: Json
  readonly weight: number
  /** Bindings of the workload, of the block and of the operation. */
  readonly bindings: JsonObject
  readonly path: Path
}

/**
 * Makes a spec of a workload of NoSQLBench for its driver "mongodb": each step of the scenario "default" is a phase.
 * @throws {Problem} "spec-invalid" with all that cannot be imported, "spec-unreadable".
 */
export function importNoSqlBench({ file, text }: WorkloadFile): Imported {
  const draft = new SpecDraft('NoSQLBench', { file, text: fillTemplates(text) })
  const { findings, data, sizes, phases } = draft
  const { bindings: shared, blocks: written, scenarios } = objectIn(draft.root)
  const blocks = Object.entries(objectIn(written))
  const scenario = Object.entries(objectIn(objectIn(scenarios)['default']))
  const steps = scenario.length > 0 ? scenario : blocks.map(([name]) => [name, `tags==block:${name}`] as const)
  for (const [name, step] of steps) readStep(name, String(step), ['scenarios', 'default', name])
  return draft.finish()

  function readStep(name: string, step: string, path: Path): void {
    const options: Record<string, string> = {}
    for (const [, key = '', value = ''] of step.matchAll(/(\w+)=+(\S+)/g)) options[key] = value.replaceAll(/["',]/g, '')
    const { tags = 'block:.*', cycles, threads = '1' } = options
    const chosen = listOps(tags)
    if (chosen.length === 0) findings.refuse(path, `a step without an operation (${tags})`)
    const operations = chosen.flatMap<JsonObject>((op) => readOp(op) ?? [])
    if (operations.length === 0) return
    const count = readCount(cycles)
    const load = { name: operationName(name), concerns: {} }
    if (count === undefined) {
      phases.push(
        createPhase(name, [{ ...load, workers: 1, operations: inTurn(operations), calls: 1 }], { measured: false }),
      )
      return
    }
    const workers = threads === 'auto' ? autoThreads : Number(threads)
    if (Number.isNaN(workers)) findings.refuse(path, `the number of threads ${threads}`)
    if (threads === 'auto') findings.remark(`threads=auto is ${autoThreads} workers: set "workers" to have others`)
    if (operations.length > 1) findings.remark('operations of a step are drawn by their ratios, and not in turn')
    const [of, calls] = [sizes.use('workers', workers), sizes.use('operations', count)]
    phases.push(createPhase(name, [{ ...load, workers: of, operations, calls }]))
  }

  /** The operations of the blocks that tags choose. */
  function listOps(tags: string): readonly WrittenOp[] {
    const [key = '', pattern = ''] = tags.split(/:(.*)/s)
    return blocks.flatMap(([block, parts]) => {
      const { ops, bindings, params, tags: own } = objectIn(parts)
      if (!matches(key === 'block' ? block : String(objectIn(own)[key]), pattern.replaceAll('.*', '*'))) return []
      return Object.entries(objectIn(ops)).map(([name, op]) => {
        const { statement, raw = statement, op: command = raw ?? op, bindings: inner, ...others } = objectIn(op)
        const { ratio } = { ...objectIn(params), ...others }
        return {
          name: operationName(name),
          command,
          weight: toNumber(ratio) ?? 1,
          bindings: { ...objectIn(shared), ...objectIn(bindings), ...objectIn(inner) },
          path: ['blocks', block, 'ops', name],
        }
      })
    })
  }

  /** Reads an operation. Undefined: it was a part of the set-up, or refused. */
  function readOp({ name, command, weight, bindings, path }: WrittenOp): JsonObject | undefined {
    const used = new Map<string, Binding>()
    const parsed = typeof command === 'string' ? parseYaml(command, `${file}, ${name},`) : command
    const generator = (one: string, argument: Json): Json | undefined => (argument === null ? use(one) : undefined)
    const given = objectIn(readValue(parsed, path, { findings, generator, text: fillText }))
    if (phases.length === 0 && applyCommand(given, data)) return undefined
    if (given['drop'] !== undefined) return void findings.remark(notDropped)
    const { writeConcern, readConcern, ...withoutConcerns } = given
    if ((objectIn(writeConcern)['w'] ?? 'majority') !== 'majority')
      findings.refuse(path, 'a write concern other than majority')
    if ((objectIn(readConcern)['level'] ?? 'local') !== 'local')
      findings.refuse(path, 'a read concern other than local')
    const operation = readCommand(withoutConcerns, path, findings)
    if (operation === undefined) return undefined
    const { kind = '', ...others } = operation
    if (typeof others['collection'] === 'string') data.use(others['collection'])
    const lets = [...used].map(([binding, { json }]) => [binding, json] as const)
    return {
      kind,
      name,
      ...(weight !== 1 && { weight }),
      ...(lets.length > 0 && { let: Object.fromEntries(lets) }),
      ...others,
    }

    /** A binding as a value of the operation. Undefined: there is none of the name. */
    function use(binding: string): Json | undefined {
      if (!Object.hasOwn(bindings, binding)) return undefined
      used.set(binding, used.get(binding) ?? readBinding(String(bindings[binding]), ['bindings', binding], findings))
      return { '@var': binding }
    }

    function fillText(whole: string): Json {
      const parts = whole.split(/(\{\w+\})/).filter((part) => part !== '')
      const values = parts.map((part) => (part.startsWith('{') ? use(part.slice(1, -1)) : undefined) ?? part)
      if (values.every((value) => typeof value === 'string')) return whole
      const isText = parts.length === 1 && used.get(whole.slice(1, -1))?.isText
      return isText ? (values[0] ?? '') : { '@concat': values }
    }
  }
}

/** Operations that are called once each, one after the other. */
function inTurn(operations: readonly JsonObject[]): readonly JsonObject[] {
  if (operations.length === 1) return operations
  const lets = Object.assign({}, ...operations.map((operation) => operation['let'])) as JsonObject
  const steps = operations.map((operation) => {
    const { weight: _, let: __, ...step } = operation
    return step
  })
  return [{ kind: 'steps', name: 'round', ...(Object.keys(lets).length > 0 && { let: lets }), steps }]
}

/** `TEMPLATE(name,default)` and `<<name:default>>` become their defaults, from the inside out. */
function fillTemplates(text: string): string {
  const template = /TEMPLATE\(\s*[\w-]+\s*,([^()]*)\)|<<[\w-]+:([^<>]*)>>/g
  const filled = text.replaceAll(template, (_, one?: string, other?: string) => (one ?? other ?? '').trim())
  return filled === text ? text : fillTemplates(filled)
}

const multiples: Readonly<Record<string, number>> = { '': 1, K: 1000, M: 1_000_000, B: 1_000_000_000 }

/** Cycles: a number, also "10M", or from one to below another. Undefined: each operation once. */
function readCount(text = ''): number | undefined {
  const [from = Number.NaN, to] = text.split('..').map((part) => {
    const [, digits = 'none', unit = ''] = /^(\d+)([KMB]?)$/.exec(part) ?? []
    return Number(digits) * (multiples[unit] ?? 1)
  })
  const count = to === undefined ? from : to - from
  return Number.isNaN(count) ? undefined : count
}
