import { z } from 'zod'
import { engineKinds } from '../../load/engines/engine-kinds.ts'

const engine = z.enum(engineKinds)

export const engineOfSpec = engine
  .default('driver')
  .describe(
    'What sends the operations. "driver": the official driver, with what it costs: what an application sees. "wire": connections of mongo-perf\'s own that write prebuilt messages and check replies without decoding them, so that the client costs a fraction and the capacity of the server is measured; it uses no compression and retries nothing. Figures of the two do not compare. Default "driver".',
  )

export const engineOfPhase = engine
  .optional()
  .describe('What sends the operations of this phase. Default: the engine of the spec.')
