import { z } from 'zod'
import { engineKinds } from '../../load/engines/engine-kinds.ts'

const engine = z.enum(engineKinds)

export const engineOfSpec = engine
  .default('driver')
  .describe(
    'What sends the operations. "driver": the official driver, including its cost: what an application sees. "wire": connections that write prebuilt messages and check replies without decoding them, so the client needs a fraction of the CPU and the capacity of the server is measured; no compression, no retries. Results of different engines cannot be compared. Default "driver".',
  )

export const engineOfPhase = engine
  .optional()
  .describe('What sends the operations of this phase. Default: the engine of the spec.')
