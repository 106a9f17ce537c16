import { type z } from 'zod'
import { bsonType } from '../bson/types.ts'
import { isTrue } from '../functions/comparison.ts'
import { type SpecFunction } from '../functions/function.ts'
import { findFunction } from '../functions/index.ts'
import { type Generated, type GeneratorContext } from '../generators/generator.ts'
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
import { type CompiledValue, type Draw, type DrawContext, writeDrawn } from './draw-context.ts'
import { child, nextSlot, type ValueScope } from './scope.ts'
import { frameBytes, indexKeyBytes, keyBytes, valueBytes } from './size.ts'
import { writeFields, writeItems } from './write-document.ts'

/** Compiles a folded value: what is constant is made once, here; what is drawn becomes a function of the draw context. */
export const compileValue = (node: Json, scope: ValueScope): Draw => compileBoth(node, scope).draw

/** Compiles a folded value for both engines. Compiled twice, it would take counters and row numbers of its own each time. */
export function compileBoth(node: Json, scope: ValueScope): CompiledValue {
  const { budget } = scope
  const { draw, write } = compileNode(node, scope)
  if (budget === undefined) return { draw, write }
  return {
    draw(drawContext) {
      budget.spend()
      return draw(drawContext)
    },
    write,
  }
}

function compileNode(node: Json, scope: ValueScope): CompiledValue {
  if (isStatic(node)) return constant(node, scope)
  if (Array.isArray(node)) return list(node as readonly Json[], scope)
  const expression = asExpression(node)
  if (expression) return compileExpression(expression.keyword, expression.argument, scope)
  return document(node as JsonObject, scope)
}

/** A value that is written from what its draw makes. */
const fromDraw = (draw: Draw): CompiledValue => ({ draw, write: writeDrawn(draw) })

function document(node: JsonObject, scope: ValueScope): CompiledValue {
  const keys = Object.keys(node)
  const fields = keys.map((key) => compileField(key, node[key] ?? null, child(scope, key)))
  const draws = fields.map(({ draw }) => draw)
  const bytes = frameBytes + keys.reduce((sum, key) => sum + keyBytes(key), 0)
  const make = objectMaker(keys)
  const values: unknown[] = []
  return {
    draw(drawContext) {
      const before = drawContext.bytes
      for (let i = 0; i < draws.length; i++) {
        values[i] = (draws[i] as Draw)(drawContext)
        keepWithin(drawContext.bytes - before, scope.path)
      }
      drawContext.bytes += bytes
      return make(values)
    },
    write: writeFields(fields, bsonType.document, scope.path),
  }
}

const compileField = (key: string, node: Json, scope: ValueScope) => ({
  key,
  isConstant: isStatic(node),
  ...compileBoth(node, scope),
})

function list(node: readonly Json[], scope: ValueScope): CompiledValue {
  const items = node.map((item, i) => compileField(String(i), item, child(scope, i)))
  const bytes = frameBytes + indexKeyBytes(items.length)
  return {
    draw(drawContext) {
      const before = drawContext.bytes
      drawContext.bytes += bytes
      return items.map(({ draw }) => {
        const made = draw(drawContext)
        keepWithin(drawContext.bytes - before, scope.path)
        return made
      })
    },
    write: writeFields(items, bsonType.array, scope.path),
  }
}

function compileExpression(keyword: string, argument: Json, scope: ValueScope): CompiledValue {
  const inner = child(scope, keyword)
  if (keyword === '@literal') return constant(argument, inner)
  if (keyword === '@var') return fromDraw(variable(argument, scope))
  if (keyword === '@cond') return condition(argument as readonly Json[], inner)
  if (keyword === '@map') return map(argument as { input: Json; as: string; in: Json }, inner)
  const generator = findGenerator(keyword)
  if (generator) {
    const made = generate(generator.args, argument, inner, (args, context) => generator.compile(args as never, context))
    const { draw, write } = typeof made === 'function' ? { draw: made } : made
    const whole = generator.countsItself ? draw : hashed(counted(draw, inner))
    return { draw: whole, write: write ?? writeDrawn(whole) }
  }
  return fromDraw(call(keyword, argument, inner))
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
  compile: (args: unknown, context: GeneratorContext) => Generated,
): Generated {
  const { data, findings } = findingsOf(args, dropNulls(args, argument))
  for (const { path, reason, atKey } of findings) scope.report([...scope.path, ...path], reason, atKey)
  if (findings.length > 0) return () => null
  const report = (reason: string): void => scope.report(scope.path, reason)
  return compile(data, {
    stream: () => new Stream(placeKey(scope.seed, scope.place)),
    value: (part, ...steps) => compileBoth(part, child(scope, ...steps)),
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

function condition([test, then, otherwise]: readonly Json[], scope: ValueScope): CompiledValue {
  const part = (node: Json | undefined, i: number): CompiledValue => compileBoth(node ?? null, child(scope, i))
  const [{ draw: ask }, yes, no] = [part(test, 0), part(then, 1), part(otherwise, 2)]
  const asked = uncounted(ask)
  const choose = (drawContext: DrawContext): CompiledValue => (isTrue(asked(drawContext)) ? yes : no)
  return {
    draw: (drawContext) => choose(drawContext).draw(drawContext),
    write: (drawContext, out) => choose(drawContext).write(drawContext, out),
  }
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

function map({ input, as, in: body }: { input: Json; as: string; in: Json }, scope: ValueScope): CompiledValue {
  const items = uncounted(compileValue(input, child(scope, 'input')))
  const slot = nextSlot(scope)
  const keep = (bytes: number): void => keepWithin(bytes, scope.path)
  const { draw, write } = compileBoth(body, {
    ...child(scope, 'in'),
    variables: new Map([...scope.variables, [as, slot]]),
  })
  return {
    draw(drawContext) {
      const drawn = items(drawContext)
      if (!Array.isArray(drawn)) return null
      const { bytes, lane } = drawContext
      drawContext.bytes += frameBytes + indexKeyBytes(drawn.length)
      const made = drawn.map((item, i) => {
        moveTo(drawContext, lane, i, slot, item)
        const element = draw(drawContext)
        keep(drawContext.bytes - bytes)
        return element
      })
      drawContext.lane = lane
      return made
    },
    write(drawContext, out) {
      const drawn = items(drawContext)
      if (!Array.isArray(drawn)) return bsonType.null
      const { lane } = drawContext
      writeItems(out, drawn.length, keep, (i) => {
        moveTo(drawContext, lane, i, slot, drawn[i])
        return write(drawContext, out)
      })
      drawContext.lane = lane
      return bsonType.array
    },
  }
}

/** Each element has draws of its own. */
function moveTo(drawContext: DrawContext, outer: number, i: number, slot: number, item: unknown): void {
  drawContext.lane = mixIn(outer ^ 0x27d4eb2f, i + 1)
  drawContext.variables[slot] = item
}
