import { z } from 'zod'
import { kindTitle, value } from '../../language/value-schema.ts'
import { replyTraits } from '../../load/engines/reply-traits.ts'
import { readPreferenceOfStep, writeConcernOfStep } from './concerns.ts'
import { letValues, type Operation, operationName, rememberedNames, timedFields } from './operation.ts'

const when = value
  .optional()
  .describe('Whether the step is called: any expression, also of the replies of the steps before it. Default true.')

const stepName = operationName.describe(
  'Its name in tables, and of its reply: `@var` reads `name.matched`, `modified`, `upserted`, `inserted`, `deleted`, `documents` and `document`. Default: the kind; of a function its name.',
)

/** Fields that a step does not share with the operation of its kind: it is not drawn, it may be skipped, and it may have concerns of its own. */
type StepFields = { readonly name: typeof stepName; readonly when: typeof when } & StepConcerns
type StepConcerns = {
  readonly readPreference: typeof readPreferenceOfStep
  readonly writeConcern: typeof writeConcernOfStep
}
/** The schema of a step, derived from the schema of an operation. */
export type StepOf<Spec extends z.ZodObject> = z.ZodObject<
  Omit<Spec['shape'], 'weight' | 'share' | 'pause' | 'let' | 'remember' | 'name' | 'exact' | 'expectErrors'> &
    StepFields,
  z.core.$strict
>

/** The spec of an operation, as a step of another one. */
export function toStep<Spec extends z.ZodObject>({ shape, description }: Spec): StepOf<Spec> {
  const {
    weight: _,
    share: __,
    pause: ___,
    let: ____,
    remember: _____,
    name: ______,
    exact: _______,
    expectErrors: ________,
    ...own
  } = shape
  return z
    .strictObject({ ...own, name: stepName, when })
    .meta({ title: kindTitle(getShapeKind(shape), 'Step') })
    .describe(description ?? '') as unknown as StepOf<Spec>
}

/** The spec of an operation, as a step that is sent on its own: not in a transaction, which has the concerns of its steps. */
export function toOwnStep({ spec, reply }: Operation): z.ZodObject {
  const { reads, writes } = replyTraits[reply]
  const step = toStep(spec)
  const concerns = {
    ...(reads && { readPreference: readPreferenceOfStep }),
    ...(writes && { writeConcern: writeConcernOfStep }),
  }
  return z
    .strictObject({ ...step.shape, ...concerns })
    .meta({ title: kindTitle(getShapeKind(step.shape), 'Step') })
    .describe(step.description ?? '')
}

/** The kind of an operation whose schema has this shape. */
export const getShapeKind = (shape: z.ZodRawShape): string => (shape['kind'] as z.ZodLiteral<string>).value

/** Names that all steps of an operation may read. */
export const operationLet = letValues
  .optional()
  .describe(
    'Values made once per operation, in order, before its clock starts; `@var` reads them, and the server as `$$name`.',
  )

/**
 * One timed operation of several calls. What a step needs from the replies before it is made while the operation runs; all
 * else is made before its clock starts.
 */
export const stepsSpec = <Step extends z.ZodType>(step: Step) =>
  z
    .strictObject({
      kind: z.literal('steps'),
      ...timedFields,
      let: operationLet,
      remember: rememberedNames,
      steps: z
        .array(step)
        .min(1)
        .max(100)
        .describe('Calls, one after the other. A step that fails ends the operation, which has failed then.'),
    })
    .meta({ title: 'StepsOperation' })
    .describe('Several steps, timed together and separately.')
