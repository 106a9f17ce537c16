import { createSupervisor } from '../../../src/servers/targets/server/guardian/supervisor.ts'
// A run that never ends by itself, to be killed. Arguments: path of a mongod, temporary folder, state folder, limits (JSON) or nothing.
import { thisHost } from '../../../src/servers/targets/server/limits/check-limits.ts'
import { startMongod } from '../../../src/servers/targets/server/process/mongod-process.ts'
import { resolveServerOptions, serverOptions } from '../../../src/servers/targets/server/server-options.ts'

const [binary = '', tempFolder = '', stateFolder = '', limitsText] = process.argv.slice(2)
const limits = limitsText === undefined ? {} : { limits: serverOptions.shape.limits.parse(JSON.parse(limitsText)) }
const never = new AbortController().signal
const { control } = await startMongod(
  { name: 'member0', binary, options: resolveServerOptions(limits) },
  { supervisor: createSupervisor(stateFolder), tempFolder, host: thisHost(), signal: never },
)
process.send?.(control.pid())
setInterval(() => undefined, 1_000)
