import { type z } from 'zod'
import { isTrue } from '../functions/comparison.ts'
import { type SpecFunction } from '../functions/function.ts'
import { findFunction } from '../functions/index.ts'
import { type GeneratorContext } from '../generators/generator.ts'
import { findGenerator } from '../generators/index.ts'
import { type Json, type JsonObject, jsonText } from '../json.ts'
import { mixIn, placeKey, Stream } from '../random.ts'
import { asExpression, expressionsIn, isStatic } from '../language/expression.ts'
import { functionArguments } from '../functions/arguments.ts'
import { dropNulls } from '../language/prune.ts'
import { findingsOf } from '../language/reasons.ts'
import { memberOf } from './bson-types.ts'
import { constant } from './constant.ts'
import { keepWithin } from './draw-budget.ts'
import { hashValue } from './hash-value.ts'
import { objectMaker } from './make-object.ts'
import { type Draw, type DrawContext } from './draw-context.ts'
import { child, nextSlot, type ValueScope } from './scope.ts'
import { frameBytes, indexKeyBytes, keyBytes, valueBytes } from './size.ts'

/** Compiles a folded value: what is constant is made once, here; what is drawn becomes a function of the draw context. */
export function compileValue(node: Json, scope: ValueScope): Draw {
  const { budget } = scope
  const draw = compileNode(node, scope)
  if (budget === undefined) return draw
  return (drawContext) => {
    budget.spend()
    return draw(drawContext)
  }
}

function compileNode(node: Json, scope: ValueScope): Draw {
  if (isStatic(node)) return constant(node, scope)
  if (Array.isArray(node)) return list(node as readonly Json[], scope)
  const expression = asExpression(node)
  if (expression) return compileExpression(expression.keyword, expression.argument, scope)
  return document(node as JsonObject, scope)
}

function document(node: JsonObject, scope: ValueScope): Draw {
  const keys = Object.keys(node)
  const draws = keys.map((key) => compileValue(node[key] ?? null, child(scope, key)))
  const bytes = frameBytes + keys.reduce((sum, key) => sum + keyBytes(key), 0)
  const make = objectMaker(keys)
  const values: unknown[] = []
  return (drawContext) => {
    const before = drawContext.bytes
    for (let i = 0; i < draws.length; i++) {
      values[i] = (draws[i] as Draw)(drawContext)
      keepWithin(drawContext.bytes - before, scope.path)
    }
    drawContext.bytes += bytes
    return make(values)
  }
}

function list(node: readonly Json[], scope: ValueScope): Draw {
  const draws = node.map((item, i) => compileValue(item, child(scope, i)))
  const bytes = frameBytes + indexKeyBytes(draws.length)
  return (drawContext) => {
    const before = drawContext.bytes
    drawContext.bytes += bytes
    return draws.map((draw) => {
      const made = draw(drawContext)
      keepWithin(drawContext.bytes - before, scope.path)
      return made
    })
  }
}

function compileExpression(keyword: string, argument: Json, scope: ValueScope): Draw {
  const inner = child(scope, keyword)
  if (keyword === '@literal') return constant(argument, inner)
  if (keyword === '@var') return variable(argument, scope)
  if (keyword === '@cond') return condition(argument as readonly Json[], inner)
  if (keyword === '@map') return map(argument as { input: Json; as: string; in: Json }, inner)
  const generator = findGenerator(keyword)
  if (generator) {
    const draw = generate(generator.args, argument, inner, (args, context) => generator.compile(args as never, context))
    return generator.countsItself ? draw : hashed(counted(draw, inner))
  }
  return call(keyword, argument, inner)
}

/** Adds the bytes of a value to those of the context. */
const counted =
  (draw: Draw, { path, budget }: ValueScope): Draw =>
  (drawContext) => {
    const made = draw(drawContext)
    const bytes = valueBytes(made)
    keepWithin(bytes, path)
    budget?.spend(bytes)
    drawContext.bytes += bytes
    return made
  }

/** Adds a value to the digest. */
const hashed =
  (draw: Draw): Draw =>
  (drawContext) => {
    const drawn = draw(drawContext)
    drawContext.hash = mixIn(drawContext.hash, hashValue(drawn))
    return drawn
  }

function generate(
  args: z.ZodType,
  argument: Json,
  scope: ValueScope,
  compile: (args: unknown, context: GeneratorContext) => Draw,
): Draw {
  const { data, findings } = findingsOf(args, dropNulls(args, argument))
  for (const { path, reason, atKey } of findings) scope.report([...scope.path, ...path], reason, atKey)
  if (findings.length > 0) return () => null
  const report = (reason: string): void => scope.report(scope.path, reason)
  return compile(data, {
    stream: () => new Stream(placeKey(scope.seed, scope.place)),
    value: (part, ...steps) => compileValue(part, child(scope, ...steps)),
    rows: (of) => scope.rows(of, report),
    counter: scope.counter,
    inRow: scope.inRow,
    call: scope.call,
    report,
    keepWithin: (bytes) => keepWithin(bytes, scope.path),
    spend: (bytes) => scope.budget?.spend(bytes),
  })
}

function call(keyword: string, argument: Json, scope: ValueScope): Draw {
  const known = findFunction(keyword)
  if (!known) return () => null
  const args = functionArguments(known, argument)
  const isWrittenAsList = Array.isArray(argument) && args === argument
  const draws = args.map((arg, i) => compileValue(arg, isWrittenAsList ? child(scope, i) : scope))
  const [only] = draws
  // As in MongoDB, `{"@max": x}` takes the greatest element where x turns out to be a list.
  const spreads = !Array.isArray(argument) && known.arity[1] > 1
  const apply =
    only && spreads
      ? (drawContext: DrawContext): unknown => applyToElements(known, only(drawContext))
      : (drawContext: DrawContext): unknown => known.apply(draws.map((draw) => draw(drawContext)))
  const computed = counted(uncounted(apply), scope)
  return isInDigest(argument) ? computed : hashed(computed)
}

/**
 * Expressions that add to the digest themselves, or not at all: generators add the numbers that they drew, relative to the
 * start of the phase; a variable was added when it was drawn; the time is no part of the digest.
 */
const hashThemselves: ReadonlySet<string> = new Set(['@var', '@nextRow', '@pickRow', '@key', '@document', '@now'])

const isInDigest = (argument: Json): boolean =>
  expressionsIn(argument).some(({ keyword }) => hashThemselves.has(keyword))

const applyToElements = (known: SpecFunction, value: unknown): unknown =>
  known.apply(Array.isArray(value) ? value : [value])

/** The inputs of a computation are not sent, so their bytes do not count. */
const uncounted =
  (draw: Draw): Draw =>
  (drawContext) => {
    const before = drawContext.bytes
    const drawn = draw(drawContext)
    drawContext.bytes = before
    return drawn
  }

function condition([test, then, otherwise]: readonly Json[], scope: ValueScope): Draw {
  const part = (node: Json | undefined, i: number): Draw => compileValue(node ?? null, child(scope, i))
  const [ask, yes, no] = [part(test, 0), part(then, 1), part(otherwise, 2)]
  const asked = uncounted(ask)
  return (drawContext) => (isTrue(asked(drawContext)) ? yes(drawContext) : no(drawContext))
}

function variable(argument: Json, scope: ValueScope): Draw {
  const [name = '', ...steps] = jsonText(argument).split('.')
  const slot = scope.variables.get(name)
  if (slot === undefined) {
    const names = [...scope.variables.keys()]
    scope.report(
      scope.path,
      `nothing around here names "${name}"${names.length > 0 ? `; named: ${names.join(', ')}` : ''}`,
    )
    return () => null
  }
  return counted((drawContext) => steps.reduce(memberOf, drawContext.variables[slot]) ?? null, scope)
}

function map({ input, as, in: body }: { input: Json; as: string; in: Json }, scope: ValueScope): Draw {
  const items = uncounted(compileValue(input, child(scope, 'input')))
  const slot = nextSlot(scope)
  const draw = compileValue(body, { ...child(scope, 'in'), variables: new Map([...scope.variables, [as, slot]]) })
  return (drawContext) => {
    const drawn = items(drawContext)
    if (!Array.isArray(drawn)) return null
    const { bytes } = drawContext
    drawContext.bytes += frameBytes + indexKeyBytes(drawn.length)
    const make = (): unknown => {
      const made = draw(drawContext)
      keepWithin(drawContext.bytes - bytes, scope.path)
      return made
    }
    return eachLane(drawContext, drawn, make, slot)
  }
}

function eachLane(drawContext: DrawContext, items: readonly unknown[], make: () => unknown, slot: number): unknown[] {
  const outer = drawContext.lane
  const made = items.map((item, i) => {
    drawContext.lane = mixIn(outer ^ 0x27d4eb2f, i + 1)
    drawContext.variables[slot] = item
    return make()
  })
  drawContext.lane = outer
  return made
}
