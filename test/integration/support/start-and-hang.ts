// A run that never ends by itself, to be killed. Arguments: path of a mongod, temporary folder, state folder.
import { createSupervisor } from '../../../src/targets/server/supervisor.ts'
import { startMongod } from '../../../src/targets/server/mongod-process.ts'
import { resolveServerOptions } from '../../../src/targets/server/server-options.ts'

const [binary = '', tempFolder = '', stateFolder = ''] = process.argv.slice(2)
const never = new AbortController().signal
const { pid } = await startMongod(
  { name: 'member0', binary, options: resolveServerOptions() },
  { supervisor: createSupervisor(stateFolder), tempFolder, signal: never },
)
process.send?.(pid)
setInterval(() => undefined, 1_000)
