import { type Json, type Path } from '../../core/json.ts'
import { didYouMean, nearest } from '../../core/nearest.ts'
import { expressionsIn, readsVariable } from '../../language/expression.ts'
import { isTrue } from '../../language/functions/comparison.ts'
import { compileValue } from '../../language/values/compile.ts'
import { createDrawContext, type Draw, type DrawContext } from '../../language/values/draw-context.ts'
import { fromBson } from '../../language/values/from-bson.ts'
import { compileLet } from '../../language/values/let.ts'
import { child, nextSlot, type ValueScope } from '../../language/values/scope.ts'
import {
  type AbortTest,
  type Arguments,
  type Call,
  emptyReply,
  type Reply,
  type StepCall,
} from '../../load/engines/engine.ts'
import {
  getOperation,
  getOperationName,
  type StepSpec,
  type StepsSpec,
  type TransactionSpec,
} from '../operations/index.ts'
import { type BuildArguments } from '../operations/operation.ts'
import { compileAborts, type FindReason, splitStep } from './abort-tests.ts'
import { compileArguments } from './compile-method.ts'
import { operationScope, type PhaseScope } from './phase-scope.ts'
import { compileRemember } from './worker-memory.ts'

/** Makes the steps of one call; what needs replies is left for when they are there. */
export type BuildSteps = (drawContext: DrawContext) => Pick<Call, 'steps' | 'aborts'>

/** The moment of one call after its replies have come, with the replies in the slots of their steps. */
type LaterContext = (replies: readonly Reply[]) => DrawContext

/** Compiles an operation of several calls. Steps see the values of `let`, and the replies of the steps before them. */
export function compileSteps(
  spec: StepsSpec | TransactionSpec,
  { path, place }: { readonly path: Path; readonly place: string },
  phaseOfOperation: PhaseScope,
): BuildSteps {
  // Steps wait for each other, and the next call that is built writes over what was encoded: they keep their values.
  const phase: PhaseScope = { ...phaseOfOperation, encodesInto: undefined }
  const base = operationScope(phase, { place, path, addressed: {} })
  const given = spec.let ?? {}
  const { scope, evaluate } = compileLet(given, base)
  const slots: number[] = []
  const findReasons: (FindReason | undefined)[] = []
  let visible = scope
  const steps = spec.steps.map((written, i) => {
    const { call: step, reasons } = splitStep(written)
    const name = getOperationName(step)
    const earlier = new Set(listEarlierNames(spec, i))
    const needsReplies = readsVariable(toSentCall(step) as Json, earlier)
    const within = needsReplies ? laterPhase(phase) : phase
    const at = stepScope(visible, [...path, 'steps', i], name, within, step)
    const build = argumentsBuilder(step, compileArguments(step, given, at, within))
    validateReplies(step as Json, earlier, at)
    validateReplies(reasons, new Set(listEarlierNames(spec, i + 1)), child(at, 'abortWhen'))
    const compiled = compileStep(step, build, at, { earlier, needsReplies })
    const slot = nextSlot(visible)
    slots.push(slot)
    visible = { ...visible, variables: new Map([...visible.variables, [name, slot]]) }
    findReasons.push(compileAborts(reasons, { ...at, variables: visible.variables }))
    return compiled
  })
  const remember = compileRemember(spec.remember, scope, phase)
  const testsReplies = findReasons.some((find) => find !== undefined)
  return (drawContext) => {
    evaluate(drawContext)
    const later = laterContext(drawContext, slots)
    const calls = steps.map((step) => step(drawContext, later))
    remember?.(drawContext)
    return {
      steps: calls,
      aborts: testsReplies ? findReasons.map((find) => find && abortTest(find, later)) : undefined,
    }
  }
}

const abortTest =
  (find: FindReason, later: LaterContext): AbortTest =>
  (replies) =>
    find(later(replies))

const listEarlierNames = ({ steps }: StepsSpec | TransactionSpec, until: number): readonly string[] =>
  steps.slice(0, until).map(getOperationName)

/** Scopes values made when replies have come: they take rows and numbers that no other unit can count. */
const laterPhase = (phase: PhaseScope): PhaseScope => ({
  ...phase,
  counter: phase.lateCounter,
  noteCounted: () => phase.noteCounted({ kind: 'late rows' }),
})

/**
 * Steps are identified by their names, as operations are: another step in between changes no draw. Row generators that name
 * no collection mean the step's.
 */
function stepScope(scope: ValueScope, path: Path, name: string, phase: PhaseScope, addressed: StepSpec): ValueScope {
  const place = `${scope.place}.${name}`
  const { rows, counter } = operationScope(phase, { place, path, addressed })
  return { ...scope, place, path, rows, counter }
}

/** A call of other workers uses the moment again before the replies are there, so what they need of it is copied. */
function laterContext({ n, call, variables }: DrawContext, slots: readonly number[]): LaterContext {
  let drawContext: DrawContext | undefined
  const seen: Reply[] = []
  const kept = [...variables]
  return (replies) => {
    drawContext ??= { ...createDrawContext(), n, call, variables: kept }
    for (const [step, reply] of replies.entries()) {
      if (seen[step] !== reply) drawContext.variables[slots[step] ?? 0] = asValue(reply)
      seen[step] = reply
    }
    return drawContext
  }
}

/** A reply as `@var` reads it. */
const asValue = (reply: Reply): object => ({ ...reply, document: reply.document && fromBson(reply.document) })

/** Returns the call that a step sends, without whether it is sent. */
const toSentCall = (step: StepSpec): object => ({ ...step, when: undefined, name: undefined, kind: undefined })

function compileStep(
  step: StepSpec,
  build: (drawContext: DrawContext) => Arguments,
  scope: ValueScope,
  { earlier, needsReplies }: { readonly earlier: ReadonlySet<string>; readonly needsReplies: boolean },
): (drawContext: DrawContext, later: LaterContext) => StepCall {
  const { when } = step
  const isWanted = when === undefined ? undefined : compileValue(when, child(scope, 'when'))
  const waits = when !== undefined && readsVariable(when, earlier)
  if (needsReplies) return (_drawContext, later) => (replies) => made(later(replies), isWanted, build)
  if (isWanted && waits) {
    return (drawContext, later) => {
      const ready = build(drawContext)
      return (replies) => (isTrue(isWanted(later(replies))) ? ready : undefined)
    }
  }
  return (drawContext) => {
    const ready = made(drawContext, isWanted, build)
    return () => ready
  }
}

function made(
  drawContext: DrawContext,
  isWanted: Draw | undefined,
  build: (drawContext: DrawContext) => Arguments,
): Arguments | undefined {
  return isWanted === undefined || isTrue(isWanted(drawContext)) ? build(drawContext) : undefined
}

function argumentsBuilder(step: StepSpec, build: BuildArguments): (drawContext: DrawContext) => Arguments {
  const { carriesDocuments, documentsPerCall } = getOperation(step.kind)
  const documents = documentsPerCall(step as never) ?? 0
  return (drawContext) => {
    drawContext.bytes = 0
    const args = build(drawContext, documents)
    return { args, bytes: carriesDocuments ? drawContext.bytes : 0 }
  }
}

const fields = Object.keys(emptyReply)

/**
 * Validates the fields of replies that a step reads. An unknown field would be null in every call, and no one would notice that
 * the step never runs.
 * @param earlier The names of the steps before it.
 */
function validateReplies(step: Json, earlier: ReadonlySet<string>, { path, report }: ValueScope): void {
  for (const { keyword, argument } of expressionsIn(step)) {
    const [name = '', field] = keyword === '@var' && typeof argument === 'string' ? argument.split('.') : []
    if (field === undefined || !earlier.has(name) || fields.includes(field)) continue
    report(
      path,
      `the reply of "${name}" has no "${field}"${didYouMean(nearest(field, fields)) || `; it has: ${fields.join(', ')}`}`,
    )
  }
}
