import { type Path } from '../../core/json.ts'
import { type Rule } from '../rules/rule.ts'
import { type PhaseSpec } from './phase-schema.ts'
import { type Spec } from './schema.ts'

/** Something that only the engine "driver" does. */
type DriverOnly = {
  /** Text of it in a spec. */
  readonly what: string
  readonly reason: string
  /** Places of it in a phase, from the path of the phase on. */
  readonly placesIn: (phase: PhaseSpec, target: Spec['target']) => readonly Path[]
}

/** The places of operations and steps of a kind. */
const ofKind =
  (kind: string): DriverOnly['placesIn'] =>
  ({ operations }) =>
    operations.flatMap((operation, i) => {
      const steps = 'steps' in operation ? operation.steps : []
      const at = ['operations', i]
      return [
        ...(operation.kind === kind ? [at] : []),
        ...steps.flatMap((step, s) => (step.kind === kind ? [[...at, 'steps', s]] : [])),
      ]
    })

const driverOnly: readonly DriverOnly[] = [
  {
    what: '"gridfsUpload"',
    reason: 'buckets are a part of the driver',
    placesIn: ofKind('gridfsUpload'),
  },
  {
    what: '"gridfsDownload"',
    reason: 'buckets are a part of the driver',
    placesIn: ofKind('gridfsDownload'),
  },
  {
    what: '"function"',
    reason: 'it is called with a client of the driver',
    placesIn: ofKind('function'),
  },
  {
    what: '"changeStream"',
    reason: 'it is the driver that resumes a stream',
    placesIn: ofKind('changeStream'),
  },
  {
    what: '"retries": "driver"',
    reason: 'the engine "wire" retries nothing',
    placesIn: ({ retries }) => (retries === 'driver' ? [['retries']] : []),
  },
  {
    what: '"runner": "withTransaction"',
    reason: 'it is a method of the driver',
    placesIn: ({ operations }) =>
      operations.flatMap((operation, i) =>
        operation.kind === 'transaction' && operation.runner === 'withTransaction' ? [['operations', i, 'runner']] : [],
      ),
  },
  {
    what: 'a transaction on a sharded cluster',
    reason: 'it has to stay with one router',
    placesIn: ({ operations }, target) =>
      target.kind === 'sharded'
        ? operations.flatMap(({ kind }, i) => (kind === 'transaction' ? [['operations', i]] : []))
        : [],
  },
]

/** Refuses in phases of the engine "wire" what only the driver does. */
export const engineRule: Rule = {
  name: 'engines',
  reads: ['target'],
  check({ phases, target }, report, { overrides: { engine: requested } }) {
    const way =
      requested === undefined
        ? 'set "engine": "driver" for this phase'
        : `leave out --engine ${requested}, which applies to all phases`
    for (const [p, phase] of phases.entries()) {
      if (phase.engine === 'driver') continue
      for (const { what, reason, placesIn } of driverOnly)
        for (const place of placesIn(phase, target))
          report(['phases', p, ...place], `${what} needs the engine "driver": ${reason}; ${way}`)
    }
  },
}
