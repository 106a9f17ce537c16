import { columnsKept, keptColumns, type OwnColumns } from '../../metrics/columns/own-column.ts'
import { type PhaseShape, type Shape } from '../../metrics/scope.ts'
import { nameOfCheck } from '../../servers/checks/index.ts'
import { getOperationName } from '../operations/index.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Spec } from '../schema/schema.ts'
import { calledIn, streamsIn } from './phase-operations.ts'

/** The names that addresses of a spec may use: those of its measured phases, of its checks, and of own columns. */
export const shapeOfSpec = ({ phases, checks }: Spec, columns: OwnColumns = {}): Shape => ({
  phases: phases.filter(({ measured }) => measured).map(shapeWithWindows),
  checks: checks.map((check) => ({ name: nameOfCheck(check), kind: check.kind })),
  columns: columnsKept(keptColumns(columns)),
})

const shapeWithWindows = (phase: PhaseSpec): PhaseShape => ({ ...phaseShape(phase), ...findWindows(phase) })

const findWindows = ({ name, load, parallel }: PhaseSpec): Pick<PhaseShape, 'windows'> => {
  if ('secondsPerStep' in load) return { windows: 'steps' }
  return [undefined, name].includes(parallel?.alternation?.load) ? {} : { windows: 'pairs' }
}

/** The names that limits of a phase may use: its own. A limit is on each window by itself. */
export const shapeOfPhase = (phase: PhaseSpec): Shape => ({ phases: [phaseShape(phase)] })

const phaseShape = (phase: PhaseSpec): PhaseShape => ({
  name: phase.name,
  operations: calledIn(phase).map(({ spec }) => ({
    name: getOperationName(spec),
    steps: 'steps' in spec ? spec.steps.map(getOperationName) : [],
  })),
  streams: streamsIn(phase).map(({ spec }) => getOperationName(spec)),
  keepsSamples: phase.keepSamples !== false,
})
