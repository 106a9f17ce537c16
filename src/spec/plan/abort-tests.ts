import { type Json } from '../../core/json.ts'
import { isTrue } from '../../language/functions/comparison.ts'
import { compileValue } from '../../language/values/compile.ts'
import { type DrawContext } from '../../language/values/draw-context.ts'
import { child, type ValueScope } from '../../language/values/scope.ts'
import { type StepSpec, type TransactionStepSpec } from '../operations/index.ts'

/** Reasons to abort after a step, by their names. */
export type AbortReasons = Readonly<Record<string, Json>>

/** The call of a step, and the conditions that follow it. */
export function splitStep(step: StepSpec | TransactionStepSpec): {
  readonly call: StepSpec
  readonly reasons: AbortReasons
} {
  const { abortWhen: reasons = {}, ...call } = step as TransactionStepSpec
  return { call, reasons }
}

/** The first reason that holds in a moment that knows the replies so far. */
export type FindReason = (drawContext: DrawContext) => string | undefined

/** @param scope Knows the name of the step too. Undefined: there is nothing to test. */
export function compileAborts(reasons: AbortReasons, scope: ValueScope): FindReason | undefined {
  const tests = Object.entries(reasons).map(([reason, node]) => ({
    reason,
    holds: compileValue(node, child(scope, 'abortWhen', reason)),
  }))
  if (tests.length === 0) return undefined
  return (drawContext) => tests.find(({ holds }) => isTrue(holds(drawContext)))?.reason
}
