// Runs as a process of its own, one per replica set with links; see start-proxies.ts. Argument: the plan, as JSON.

import { startFineTimer } from '../../../core/threads/fine-timer.ts'
import { startListening } from './proxies.ts'
import { sourceFinder } from './source-of.ts'
import { type ProxyAnswer, type ProxyOrder, type ProxyPlan } from './start-proxies.ts'
import { createTimers, createWaker } from './timers.ts'

const send = (answer: ProxyAnswer): void => void process.send?.(answer)

process.on('disconnect', () => process.exit())
// Whoever started it may be gone already.
if (!process.connected) process.exit()

try {
  const plan = JSON.parse(process.argv[2] ?? '') as ProxyPlan
  const pids = plan.members.map(({ pid }) => pid)
  const waker = createWaker(createTimers(await startFineTimer()))
  const proxies = await startListening(plan, sourceFinder(pids, plan.root), waker)
  process.on('message', (order: ProxyOrder) => {
    if (order.kind === 'member') pids[order.member] = order.pid
    else proxies.follow(order)
    send({ kind: 'done' })
  })
  send({ kind: 'listening', ports: proxies.ports })
} catch (error) {
  send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
}
