import { Problem } from '../../../core/errors.ts'
import {
  type ApplicationDriver,
  type LoadDriver,
  loadDriverFrom,
  findLoadedDriver,
} from '../../../load/engines/driver/load-driver.ts'
import { createRunner, type Runner } from '../../../load/engines/driver/replies.ts'
import { translatePhase } from '../../../load/engines/driver/translate.ts'
import { toOutcome } from '../../../load/engines/outcomes.ts'
import { type MethodPlan } from '../../../load/plan/plan.ts'
import { type CompileSettings, compileOperation } from './compile-operation.ts'
import { type OpenSubject, type OperationSubject, toOperationPlace, type Subject } from './subject.ts'
import { type OperationInput, type Work } from './work.ts'

export type OperationSettings = Omit<CompileSettings, 'ejson'> & {
  /** The driver of the client. Default: it is found. */
  readonly driver: ApplicationDriver | undefined
}

/**
 * Sends an operation of the spec on the client of a place, with the sender of the engine `driver`. Its values are drawn before each call is timed,
 * by the number of the call, which goes on from the first call to the last.
 * @throws {Problem} "spec-invalid" with what is wrong with the operation; "usage" where the driver is not that of the client.
 */
export async function workOfOperation(
  operation: OperationInput,
  { watched, timed }: Pick<OpenSubject<Subject>, 'watched' | 'timed'>,
  { driver: given, ...settings }: OperationSettings,
): Promise<Work> {
  const subject = toOperationPlace(timed)
  const { module, translate } = await requireMatchingDriver(subject, given)
  const compiled = await compileOperation(operation, subject, { ...settings, ejson: module.BSON.EJSON })
  const phase = translate === undefined ? compiled : translatePhase(compiled, translate)
  const source = phase.calls('measured')
  const method = phase.operations[0] as MethodPlan
  const runnerAt = ({ client, database }: OperationSubject): Runner =>
    createRunner(method, { driver: module, client, database, functions: {} })
  const [watchedRun, timedRun] = [runnerAt(toOperationPlace(watched)), runnerAt(subject)]
  return {
    watched: () => watchedRun(source.next().args, pending),
    engine: {
      send: ({ args }, answered) =>
        void timedRun(args, pending).then(
          (reply) => answered({ kind: 'ok', reply }),
          (thrown: unknown) => answered(toOutcome(thrown)),
        ),
    },
    phase: { engine: 'driver', operation: method, calls: () => source },
  }
}

/** Every answer is waited for. */
const pending = { abandoned: false }

async function requireMatchingDriver(
  { client }: OperationSubject,
  given: ApplicationDriver | undefined,
): Promise<LoadDriver> {
  const driver = given === undefined ? await findLoadedDriver(client) : await loadDriverFrom(given)
  if (driver !== undefined && client instanceof driver.module.MongoClient) return driver
  throw new Problem(
    'usage',
    given === undefined
      ? 'The client in "on" comes from a copy of the driver that is not found among the modules of this process'
      : '"driver" is not the driver of the client in "on"',
    {
      hint: "Operations are sent with the driver of the client. Hand it in: import * as mongodb from 'mongodb', and measure(operation, { on, driver: mongodb }); with mongoose, { driver: mongoose.mongo }.",
    },
  )
}
