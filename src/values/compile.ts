import { z } from 'zod'
import { findFunction } from '../functions/index.ts'
import { isTrue } from '../functions/comparison.ts'
import { type GeneratorContext, type RowSource } from '../generators/generator.ts'
import { findGenerator } from '../generators/index.ts'
import { isObject, type Json, type Path, pathText } from '../json.ts'
import { hashText, mixIn, placeKey, Stream } from '../random.ts'
import { asExpression, isStatic } from '../spec/expression.ts'
import { functionArguments } from '../spec/fold.ts'
import { dropNulls } from '../spec/prune.ts'
import { byValue, fromJson, isBsonValue, isWrapper, unwrap } from './bson-types.ts'
import { type Draw, type Moment } from './moment.ts'
import { frameBytes, indexKeyBytes, keyBytes, valueBytes } from './size.ts'

/** Where a value stands, and what it may use there. */
export type ValueScope = {
  readonly seed: number
  /** Names the place for draws; array indexes of phases and operations are not in it, their names are. */
  readonly place: string
  /** Path in the folded spec, for reports. */
  readonly path: Path
  readonly inRow: boolean
  readonly rows: (of: string | undefined, report: (reason: string) => void) => RowSource | undefined
  readonly report: (path: Path, reason: string) => void
  /** Slot in the moment of each name that `@var` may use. */
  readonly variables: ReadonlyMap<string, number>
}

const child = (scope: ValueScope, ...steps: Path): ValueScope => ({
  ...scope,
  place: `${scope.place}.${pathText(steps)}`,
  path: [...scope.path, ...steps],
})

/** Compiles a folded value: what is constant is made once, here; what is drawn becomes a function of the moment. */
export function compileValue(node: Json, scope: ValueScope): Draw {
  if (isStatic(node)) return constant(node, scope)
  if (Array.isArray(node)) return list(node as readonly Json[], scope)
  const expression = asExpression(node)
  if (expression) return compileExpression(expression.word, expression.argument, scope)
  return document(node as { readonly [key: string]: Json }, scope)
}

/** The same object for every call: callers that hand it to something that changes it must copy it first. */
function constant(node: Json, scope: ValueScope): Draw {
  const made = readConstant(node, scope)
  const bytes = valueBytes(made)
  return (moment) => {
    moment.bytes += bytes
    return made
  }
}

function readConstant(node: Json, scope: ValueScope): unknown {
  if (Array.isArray(node)) return (node as readonly Json[]).map((item, i) => readConstant(item, child(scope, i)))
  if (typeof node === 'number') return byValue(node)
  if (!isObject(node)) return node
  if (!isWrapper(node))
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, readConstant(item, child(scope, key))]))
  try {
    return unwrap(node)
  } catch (error) {
    scope.report(scope.path, `not valid Extended JSON: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

function document(node: { readonly [key: string]: Json }, scope: ValueScope): Draw {
  const keys = Object.keys(node)
  const draws = keys.map((key) => compileValue(node[key] ?? null, child(scope, key)))
  const bytes = frameBytes + keys.reduce((sum, key) => sum + keyBytes(key), 0)
  return (moment) => {
    const made: Record<string, unknown> = {}
    for (let i = 0; i < keys.length; i++) made[keys[i] as string] = (draws[i] as Draw)(moment)
    moment.bytes += bytes
    return made
  }
}

function list(node: readonly Json[], scope: ValueScope): Draw {
  const draws = node.map((item, i) => compileValue(item, child(scope, i)))
  const bytes = frameBytes + indexKeyBytes(draws.length)
  return (moment) => {
    moment.bytes += bytes
    return draws.map((draw) => draw(moment))
  }
}

function compileExpression(word: string, argument: Json, scope: ValueScope): Draw {
  const inner = child(scope, word)
  if (word === '@literal') return literal(argument)
  if (word === '@var') return variable(argument, scope)
  if (word === '@cond') return condition(argument as readonly Json[], inner)
  if (word === '@map') return map(argument as { input: Json; as: string; in: Json }, inner)
  const generator = findGenerator(word)
  if (generator) {
    const draw = generate(generator.args, argument, inner, (args, context) => generator.compile(args as never, context))
    return generator.countsBytes ? draw : counted(draw)
  }
  return call(word, argument, inner)
}

/** Adds the bytes of what is drawn, and folds it into the digest. */
const counted =
  (draw: Draw): Draw =>
  (moment) => {
    const drawn = draw(moment)
    moment.bytes += valueBytes(drawn)
    moment.hash = mixIn(moment.hash, hashValue(drawn))
    return drawn
  }

function hashValue(value: unknown): number {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.floor(value * 1e6)
  if (typeof value === 'string') return hashText(value)
  if (value instanceof Date) return Math.floor(value.getTime() / 1000)
  if (typeof value === 'boolean') return value ? 1 : 0
  return hashText(String(value))
}

function literal(argument: Json): Draw {
  const made = fromJson(argument)
  const bytes = valueBytes(made)
  return (moment) => {
    moment.bytes += bytes
    return made
  }
}

function generate(
  args: z.ZodType,
  argument: Json,
  scope: ValueScope,
  compile: (args: unknown, context: GeneratorContext) => Draw,
): Draw {
  const parsed = args.safeParse(dropNulls(args, argument))
  if (!parsed.success) {
    for (const issue of parsed.error.issues) scope.report([...scope.path, ...(issue.path as Path)], issue.message)
    return () => null
  }
  const report = (reason: string): void => scope.report(scope.path, reason)
  return compile(parsed.data, {
    stream: () => new Stream(placeKey(scope.seed, scope.place)),
    value: (part, ...steps) => compileValue(part, child(scope, ...steps)),
    rows: (of) => scope.rows(of, report),
    inRow: scope.inRow,
    report,
  })
}

function call(word: string, argument: Json, scope: ValueScope): Draw {
  const known = findFunction(word)
  if (!known) return () => null
  const listed = Array.isArray(argument)
  const args = functionArguments(known, argument)
  const isOneArgument = args.length === 1 && !(listed && (argument as readonly Json[]).length === 1)
  const draws = args.map((arg, i) => compileValue(arg, isOneArgument ? scope : child(scope, i)))
  return counted(uncounted((moment) => known.apply(draws.map((draw) => draw(moment)))))
}

/** What goes into a computation is not sent: its bytes do not count. */
const uncounted =
  (draw: Draw): Draw =>
  (moment) => {
    const before = moment.bytes
    const drawn = draw(moment)
    moment.bytes = before
    return drawn
  }

function condition([test, then, otherwise]: readonly Json[], scope: ValueScope): Draw {
  const [ask, yes, no] = [test, then, otherwise].map((part, i) => compileValue(part ?? null, child(scope, i))) as [
    Draw,
    Draw,
    Draw,
  ]
  const asked = uncounted(ask)
  return (moment) => (isTrue(asked(moment)) ? yes(moment) : no(moment))
}

function variable(argument: Json, scope: ValueScope): Draw {
  const [name = '', ...steps] = String(argument).split('.')
  const slot = scope.variables.get(name)
  if (slot === undefined) {
    const names = [...scope.variables.keys()]
    scope.report(
      scope.path,
      `nothing around here names "${name}"${names.length > 0 ? `; named: ${names.join(', ')}` : ''}`,
    )
    return () => null
  }
  return counted((moment) => steps.reduce(step, moment.variables[slot]) ?? null)
}

const step = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && !isBsonValue(value)
    ? (value as Record<string, unknown>)[key]
    : undefined

function map({ input, as, in: body }: { input: Json; as: string; in: Json }, scope: ValueScope): Draw {
  const items = uncounted(compileValue(input, child(scope, 'input')))
  const slot = scope.variables.size
  const draw = compileValue(body, { ...child(scope, 'in'), variables: new Map([...scope.variables, [as, slot]]) })
  return (moment) => {
    const drawn = items(moment)
    if (!Array.isArray(drawn)) return null
    moment.bytes += frameBytes + indexKeyBytes(drawn.length)
    return eachLane(moment, drawn, () => draw(moment), slot)
  }
}

function eachLane(moment: Moment, items: readonly unknown[], make: () => unknown, slot: number): unknown[] {
  const outer = moment.lane
  const made = items.map((item, i) => {
    moment.lane = mixIn(outer ^ 0x27d4eb2f, i + 1)
    moment.variables[slot] = item
    return make()
  })
  moment.lane = outer
  return made
}
