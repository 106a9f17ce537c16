import { type Json, type JsonObject, isObject } from '../../core/json.ts'
import { Stream, mixIn, placeKey } from '../../core/random.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { check, checkArgument } from '../check.ts'
import { asExpression, expressionsIn, isStatic } from '../expression.ts'
import { isTrue } from '../functions/comparison.ts'
import type { Generated, Generator } from '../generators/generator.ts'
import { findGenerator } from '../generators/index.ts'
import { type Interpretation, createStrictFunction, interpret, valueAt } from '../interpret.ts'
import { NoResult } from '../issues.ts'
import type { Call, Fields, Mapping, Part, Reading } from '../parse.ts'
import { dropNulls } from '../prune.ts'
import { collectFindings } from '../reasons.ts'
import { constant } from './constant.ts'
import { type CompiledValue, type Draw, type DrawContext, keepWithin, writeDrawn } from './draw-context.ts'
import { type ValueScope, child, nextSlot } from './scope.ts'
import { frameBytes, hashValue, indexKeyBytes, keyBytes, valueBytes } from './size-and-hash.ts'
import { objectMaker, writeFields, writeItems } from './write-document.ts'

/** Compiles a folded value: what is constant is made once, here; what is drawn becomes a function of the draw context. */
export const compileValue = (node: Json, scope: ValueScope): Draw => compileBoth(node, scope).draw

/** Compiles a folded value for both engines. Compiled twice, it would take counters and row numbers of its own each time. */
export function compileBoth(node: Json, scope: ValueScope): CompiledValue {
  check(node, {
    path: scope.path,
    names: [...scope.variables.keys()],
    keywordForm: checkArgument,
    report: ({ path, reason, ...marks }) => scope.report(path, reason, marks),
  })
  return compilePart(node, scope)
}

function compilePart(node: Json, scope: ValueScope): CompiledValue {
  const { budget } = scope
  const { draw, write } = isStatic(node) ? constant(node, scope) : interpret(node, scope, drawing)
  if (budget === undefined) return { draw, write }
  return {
    draw(drawContext) {
      budget.spend()
      return draw(drawContext)
    },
    write,
  }
}

/** A value that is written from what its draw makes. */
const fromDraw = (draw: Draw): CompiledValue => ({ draw, write: writeDrawn(draw) })

/** Value drawn by what has been reported. */
const nothing = fromDraw(() => null)

const drawing: Interpretation<ValueScope, CompiledValue> = {
  inside: child,
  part: compilePart,
  constant,
  literal: (value, scope) => constant(value, child(scope, '@literal')),
  list,
  document,
  parameter: () => nothing,
  variable,
  condition,
  map,
  call: (args, form, scope) => fromDraw(call(args, form, child(scope, form.called.keyword))),
  keyword: ({ keyword, argument }, scope) => generated(keyword, argument.node, child(scope, keyword)),
  malformed: () => nothing,
}

function document(values: readonly CompiledValue[], { fields: parts }: Fields, { path }: ValueScope): CompiledValue {
  const fields = toFields(values, parts)
  const keys = fields.map(({ key }) => key)
  const draws = fields.map(({ draw }) => draw)
  const bytes = frameBytes + keys.reduce((sum, key) => sum + keyBytes(key), 0)
  const make = objectMaker(keys)
  const made: unknown[] = []
  return {
    draw(drawContext) {
      const before = drawContext.bytes
      for (let i = 0; i < draws.length; i++) {
        made[i] = (draws[i] as Draw)(drawContext)
        keepWithin(drawContext.bytes - before, path)
      }
      drawContext.bytes += bytes
      return make(made)
    },
    write: writeFields(fields, bsonType.document, path),
  }
}

const toFields = (values: readonly CompiledValue[], parts: readonly Part[]) =>
  parts.map(({ node, path: [key] }, i) => ({
    key: String(key),
    isConstant: isStatic(node),
    ...(values[i] as CompiledValue),
  }))

function list(values: readonly CompiledValue[], parts: readonly Part[], { path }: ValueScope): CompiledValue {
  const bytes = frameBytes + indexKeyBytes(values.length)
  return {
    draw(drawContext) {
      const before = drawContext.bytes
      drawContext.bytes += bytes
      return values.map(({ draw }) => {
        const made = draw(drawContext)
        keepWithin(drawContext.bytes - before, path)
        return made
      })
    },
    write: writeFields(toFields(values, parts), bsonType.array, path),
  }
}

function generated(keyword: string, argument: Json, scope: ValueScope): CompiledValue {
  const generator = findGenerator(keyword)
  if (!generator) return nothing
  const made = generate(generator, argument, scope)
  const { draw, write } = typeof made === 'function' ? { draw: made } : made
  const whole = generator.countsItself ? draw : hashed(counted(draw, scope))
  // What is written is measured where it stands; only trial draws, which have a budget, count it before.
  const sent = generator.countsItself || scope.budget ? whole : hashed(draw)
  return { draw: whole, write: write ?? writeDrawn(sent) }
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

function generate({ args, drawable = {}, compile }: Generator, argument: Json, scope: ValueScope): Generated {
  const { fixed, drawn } = takeDrawn(drawable, argument, scope)
  const { data, findings } = collectFindings(args, dropNulls(args, fixed))
  for (const { path, reason, atKey } of findings) scope.report([...scope.path, ...path], reason, { atKey })
  if (findings.length > 0) return () => null
  const report = (reason: string): void => scope.report(scope.path, reason)
  return compile(data as never, {
    drawn,
    stream: () => new Stream(placeKey(scope.seed, scope.place)),
    value: (part, ...steps) => compilePart(part, child(scope, ...steps)),
    rows: (of) => scope.rows(of, report),
    counter: scope.counter,
    inRow: scope.inRow,
    call: scope.call,
    report,
    refuse(reason) {
      throw new NoResult(scope.path, reason)
    },
    keepWithin: (bytes) => keepWithin(bytes, scope.path),
    spend: (bytes) => scope.budget?.spend(bytes),
  })
}

/** Compiles the arguments that are expressions; for the schema of the others a fixed value stands for each of them. */
function takeDrawn(drawable: JsonObject, argument: Json, scope: ValueScope) {
  const drawn = new Map<string, Draw>()
  const names = isObject(argument) ? Object.keys(drawable) : []
  const given = argument as JsonObject
  for (const name of names)
    if (asExpression(given[name])) drawn.set(name, uncounted(compilePart(given[name] ?? null, child(scope, name)).draw))
  const other = names.find((name) => given[name] !== undefined && !drawn.has(name))
  const stand = (name: string): Json => (other === undefined ? undefined : given[other]) ?? drawable[name] ?? null
  const fixed = { ...given, ...Object.fromEntries([...drawn.keys()].map((name) => [name, stand(name)])) }
  return { drawn, fixed: drawn.size > 0 ? fixed : argument }
}

function call(args: readonly CompiledValue[], form: Call, scope: ValueScope): Draw {
  const draws = args.map(({ draw }) => draw)
  const apply = createStrictFunction(form, scope.path)
  const [only] = draws
  const compute: Draw =
    only && draws.length === 1
      ? (drawContext) => apply([only(drawContext)])
      : (drawContext) => apply(draws.map((draw) => draw(drawContext)))
  const computed = counted(uncounted(compute), scope)
  return form.args.some(({ node }) => isInDigest(node)) ? computed : hashed(computed)
}

/**
 * Expressions that add to the digest themselves, or not at all: generators add the numbers that they drew, relative to the
 * start of the phase; a variable was added when it was drawn; the time is no part of the digest.
 */
const hashThemselves: ReadonlySet<string> = new Set([
  '@var',
  '@nextRow',
  '@pickRow',
  '@key',
  '@ref',
  '@document',
  '@now',
  '@remembered',
])

const isInDigest = (argument: Json): boolean =>
  expressionsIn(argument).some(({ keyword }) => hashThemselves.has(keyword))

/** The inputs of a computation are not sent, so their bytes do not count. */
const uncounted =
  (draw: Draw): Draw =>
  (drawContext) => {
    const before = drawContext.bytes
    const drawn = draw(drawContext)
    drawContext.bytes = before
    return drawn
  }

function condition(test: CompiledValue, ifTrue: () => CompiledValue, ifFalse: () => CompiledValue): CompiledValue {
  const [yes, no] = [ifTrue(), ifFalse()]
  const asked = uncounted(test.draw)
  const choose = (drawContext: DrawContext): CompiledValue => (isTrue(asked(drawContext)) ? yes : no)
  return {
    draw: (drawContext) => choose(drawContext).draw(drawContext),
    write: (drawContext, out) => choose(drawContext).write(drawContext, out),
  }
}

function variable({ name, steps }: Reading, scope: ValueScope): CompiledValue {
  const slot = scope.variables.get(name)
  if (slot === undefined) return nothing
  const read: Draw =
    steps.length === 0 ? ({ variables }) => variables[slot] ?? null : ({ variables }) => valueAt(variables[slot], steps)
  return { draw: counted(read, scope), write: writeDrawn(read) }
}

function map(
  input: CompiledValue,
  { as }: Mapping,
  body: (scope: ValueScope) => CompiledValue,
  scope: ValueScope,
): CompiledValue {
  const items = uncounted(input.draw)
  const slot = nextSlot(scope)
  const { path } = child(scope, '@map')
  const listOf = (drawn: unknown): readonly unknown[] | null => {
    if (drawn === null || drawn === undefined || Array.isArray(drawn)) return drawn ?? null
    throw new NoResult([...path, 'input'], '"input" of "@map" must be a list')
  }
  const keep = (bytes: number): void => keepWithin(bytes, path)
  const { draw, write } = body({ ...scope, variables: new Map([...scope.variables, [as, slot]]) })
  return {
    draw(drawContext) {
      const drawn = listOf(items(drawContext))
      if (drawn === null) return null
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
      const drawn = listOf(items(drawContext))
      if (drawn === null) return bsonType.null
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
