// Runs as a process of its own for each side of each round; see run-side.ts.

import { serveSide } from './serve-side.ts'

serveSide()
