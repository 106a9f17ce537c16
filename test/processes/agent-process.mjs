// An agent with times of its own. Arguments: URL of its queue, its name, URI of the server, times of its watch (JSON).
import { systemClock } from '../../build/src/core/clock.js'
import { serveAgent } from '../../build/src/run/agents/agent/agent.js'
import { PhaseWorker } from '../../build/src/run/agents/agent/phase-worker.js'
import { connectRedis } from '../../build/src/run/agents/redis.js'

const [queue, name, uri, times] = process.argv.slice(2)
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
const redis = await connectRedis(queue)
const permissions = { uri: () => uri, allowRemote: false, allow: [], allowWrites: [] }
await serveAgent({
  redis,
  name,
  threads: 1,
  createWorker: () => new PhaseWorker(permissions, systemClock),
  secrets: [],
  clock: systemClock,
  signal: stop.signal,
  log: (message) => process.stdout.write(`${message}\n`),
  times: JSON.parse(times),
})
await redis[Symbol.asyncDispose]()
