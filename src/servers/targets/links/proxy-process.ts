// Runs as a process of its own, one per replica set with links; see start-proxies.ts. Argument: the plan, as JSON.

import { startFineTimer } from '../../../core/threads/fine-timer.ts'
import { type Proxies, startListening } from './proxies.ts'
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
  process.on('message', (order) => {
    follow(order as ProxyOrder, proxies, pids)
    send({ kind: 'done' })
  })
  send({ kind: 'listening', ports: proxies.ports })
} catch (error) {
  send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
}

/** @param pids Of the members, in which connections are looked up: changed in place. */
function follow(order: ProxyOrder, proxies: Proxies, pids: number[]): void {
  switch (order.kind) {
    case 'state':
      return proxies.set(order)
    case 'delay':
      return proxies.delay(order)
    case 'ownCost':
      return proxies.ownCost(order)
    case 'member':
      pids[order.member] = order.pid
  }
}
