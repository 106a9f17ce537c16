// Runs as a process of its own, one per replica set with links; see start-proxies.ts. Argument: the plan, as JSON.
import { type ProxyAnswer, type ProxyPlan, type SetLink } from './messages.ts'
import { startListening } from './proxies.ts'
import { sourceFinder } from './source-of.ts'
import { createWaker } from './waker.ts'

const tell = (answer: ProxyAnswer): void => void process.send?.(answer)

process.on('disconnect', () => process.exit())
// Whoever started it may be gone already.
if (!process.connected) process.exit()

try {
  const plan = JSON.parse(process.argv[2] ?? '') as ProxyPlan
  const pids = plan.members.map(({ pid }) => pid)
  const proxies = await startListening(plan, sourceFinder(pids, plan.root), createWaker())
  process.on('message', (link) => {
    proxies.set(link as SetLink)
    tell({ kind: 'done' })
  })
  tell({ kind: 'listening', ports: proxies.ports })
} catch (error) {
  tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
}
