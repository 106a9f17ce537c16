import { z } from 'zod'
import { kindTitle, value } from '../../language/value-schema.ts'
import { rememberedNames, timedFields } from './operation.ts'
import { getShapeKind, operationLet, type StepOf, toStep } from './steps.ts'

const abortWhen = z
  .record(z.string().regex(/^[A-Za-z][\w-]*$/), value)
  .optional()
  .describe(
    'Reasons to abort the transaction on purpose, each a name and any expression, also of the replies so far, including the reply of the step itself. Tested after the step, in order: the first that is true wins. Default: none.',
  )

/** A step that may end the whole transaction. */
export type TransactionStepOf<Spec extends z.ZodObject> = z.ZodObject<
  StepOf<Spec>['shape'] & { readonly abortWhen: typeof abortWhen },
  z.core.$strict
>

/** The spec of an operation, as a step of a transaction. */
export function toTransactionStep<Spec extends z.ZodObject>(spec: Spec): TransactionStepOf<Spec> {
  const { shape, description } = toStep(spec)
  return z
    .strictObject({ ...shape, abortWhen })
    .meta({ title: kindTitle(getShapeKind(spec.shape), 'TransactionStep') })
    .describe(description ?? '') as unknown as TransactionStepOf<Spec>
}

/** How often our own runner tries a transaction by default. */
export const defaultAttempts = 100

/** One timed operation of several calls that are done together or not at all. */
export const transactionSpec = <Step extends z.ZodType>(step: Step) =>
  z
    .strictObject({
      kind: z.literal('transaction'),
      ...timedFields,
      runner: z
        .enum(['managed', 'withTransaction'])
        .default('managed')
        .describe(
          'Whether mongo-perf or the driver retries the transaction. "managed": mongo-perf. Before the commit, it is retried after errors with the label TransientTransactionError, and after any lost connection. A commit of unknown outcome is sent again; if it stays unknown, the outcome of the transaction is unknown too, and nothing is retried. "withTransaction": the driver\'s `withTransaction`, which retries on error labels only. Default "managed".',
        ),
      maxAttempts: z
        .int()
        .min(1)
        .max(1_000_000)
        .optional()
        .describe(
          `How often "managed" tries it in all, within the deadline of the phase: 1 to 1000000. Before the next attempt, or before a commit is sent again, it waits for a random time of up to 5 ms × 1.5 ^ failures, 500 ms at most, as the driver does. Default ${defaultAttempts}.`,
        ),
      readConcern: z
        .strictObject({ level: z.enum(['snapshot', 'majority', 'local']) })
        .meta({ title: 'TransactionReadConcern' })
        .default({ level: 'snapshot' })
        .describe('Read concern of the transaction, in place of the read concern of the phase. Default: snapshot.'),
      writeConcern: z
        .strictObject({
          w: z
            .union([z.int().min(1).max(50), z.literal('majority'), z.string().min(1)])
            .describe(
              'Members that must have the commit: a number from 1, "majority", or a custom name of the set. The server answers every commit, so there is no 0.',
            ),
          j: z.boolean().optional().describe('Whether the commit must be in the journal.'),
          wtimeoutMS: z
            .int()
            .min(1)
            .optional()
            .describe(
              "Time after which the server stops waiting for members, in milliseconds; the outcome is unknown then, unless the commit is sent again in time. Default 10000, the driver's.",
            ),
        })
        .meta({ title: 'TransactionWriteConcern' })
        .default({ w: 'majority', wtimeoutMS: 10_000 })
        .describe(
          'Write concern of the commit, in place of the write concern of the phase. Default: majority with a wtimeout of 10 s.',
        ),
      readPreference: z
        .strictObject({ mode: z.literal('primary').describe('"primary": transactions read nowhere else.') })
        .meta({ title: 'TransactionReadPreference' })
        .default({ mode: 'primary' })
        .describe('Which member is read. Default: the primary.'),
      let: operationLet,
      remember: rememberedNames,
      steps: z
        .array(step)
        .min(1)
        .max(100)
        .describe(
          'Operations of one transaction, in order. A step that fails ends the attempt, and so does `abortWhen`.',
        ),
    })
    .refine(({ runner, maxAttempts }) => runner === 'managed' || maxAttempts === undefined, {
      path: ['maxAttempts'],
      error: 'the driver\'s "withTransaction" counts no attempts: only "managed" has a budget of them',
    })
    .meta({ title: 'TransactionOperation' })
    .describe(
      'Several operations that are committed together or not at all, retried as a whole if that is safe. Needs a replica set.',
    )
