// Runs as a process of its own, one per run, and outlives it; see supervisor.ts. Arguments: state folder, our pid, our start time.
import { cleanLeftovers } from './state.ts'

const [stateFolder, pid, startTime] = process.argv.slice(2)
if (stateFolder === undefined || pid === undefined)
  throw new Error('The guardian needs a state folder and a process id')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

// The pipe closes when its other end is gone, however that came about: a clean end, a crash, kill -9.
process.stdin.resume()
process.stdin.on('error', () => undefined)
process.stdin.on('close', () => {
  void cleanLeftovers(stateFolder, ({ owner }) => owner.pid === Number(pid) && owner.startTime === (startTime || null))
})
