import { speedAround } from '../../../metrics/machine-speed.ts'
import { figureRule } from './rule.ts'

/** From where on the warning `slow-machine` is raised within a result. */
const slowFactor = 1 / 0.9

/** A client whose machine ran faster or slower at one of the two times. */
export const machineSpeed = figureRule(
  { title: "speed of the client's machine (fixed kernel, 1/s)", factor: slowFactor, notable: 0 },
  ({ phase }) => speedAround(phase),
)
