import type { MeasuredLoad } from '../measure-phase.ts'
import type { RowRun } from '../row-run.ts'
import { abortCondition } from './abort-condition.ts'
import { explain } from './explain.ts'
import { faults } from './faults.ts'
import type { Instrument, OpenInstrument } from './instrument.ts'
import { machineSpeed } from './machine-speed.ts'
import { clientHealth, machine, servers } from './resources.ts'
import { streams } from './streams.ts'
import { unacknowledged } from './unacknowledged.ts'

/**
 * Opened before threads start and the load warms up, because they take long, and warm-up and window have to follow each other. They
 * hold nothing that has to be released.
 */
const beforeLoad = [machineSpeed] as const satisfies readonly OpenInstrument[]

/**
 * The other instruments of every phase, in the order in which they are opened: what looks at the servers comes last, so that it sees
 * the window alone, and closes first. A new one is one file and one word here.
 */
const instruments = [
  explain,
  streams,
  unacknowledged,
  faults,
  abortCondition,
  servers,
  machine,
  clientHealth,
] as const satisfies readonly OpenInstrument[]

type ContributionOf<Open> = Open extends OpenInstrument<infer One> ? One : never

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

export type Contributed = Intersection<ContributionOf<(typeof beforeLoad | typeof instruments)[number]>>

/** Opens instruments into the list, so that those that are open can be closed when the next one fails. */
type Opening = (load: MeasuredLoad, row: RowRun, opened: Instrument[]) => Promise<void>

const opening =
  (those: readonly OpenInstrument[]): Opening =>
  async (load, row, opened) => {
    for (const open of those) opened.push(await open(load, row))
  }

/** Opens the instruments that take long, before the load. */
export const openBeforeLoad: Opening = opening(beforeLoad)

/** Opens the others, right before the window. */
export const openInstruments: Opening = opening(instruments)
