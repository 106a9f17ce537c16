import { systemClock } from '../../src/core/clock.ts'
import { assumeSpeed } from '../../src/run/instruments/machine-speed.ts'

// Runs before each file. Measuring it around short phases took 8 % of the time of these tests; those of it call for it again.
assumeSpeed(systemClock, 100)
