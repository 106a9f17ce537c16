import { expect, test } from 'vitest'
import { createConversation, type OpenCall, reasons } from '../../../src/traffic/record/conversation.ts'
import { createReadingBudget } from '../../../src/traffic/record/reading-budget.ts'
import { aMessage, compressed } from './messages.ts'

const documents = [{ text: 'x'.repeat(1_000_000) }]
const large = compressed(aMessage({ insert: 'a', documents, lsid: { id: 1 }, $db: 'shop' }))
const small = aMessage({ find: 'a', $db: 'shop' })
const reply = (responds: number): Buffer => aMessage({ ok: 1 }, { respondsTo: responds })

/** A conversation in which reading a message with a session takes a time. */
function talk(stepUs: number) {
  let nowUs = 0
  const names: string[] = []
  const leftOut = new Map<string, number>()
  const conversation = createConversation(0, {
    add: ({ name }) => void names.push(name),
    leaveOut: (reason) => void leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1),
    sessions: Object.assign(() => ((nowUs += stepUs), 0), { size: () => 1 }),
    open: new Set<OpenCall>(),
    budget: createReadingBudget(() => nowUs),
  })
  const send = (message: Buffer, id: number): void => {
    const bytes = Buffer.from(message)
    bytes.writeInt32LE(id, 4)
    conversation.request(bytes, 0, bytes.length, nowUs)
    const answer = reply(id)
    conversation.reply(answer, 0, answer.length, nowUs)
  }
  const count = (name: string): number => names.filter((one) => one === name).length
  return { send, count, leftOut, wait: (us: number) => void (nowUs += us) }
}

test('large messages that take the time of the relay are left out and counted, small ones are not', () => {
  const { send, count, leftOut, wait } = talk(50_000)
  for (let id = 0; id < 200; id++) {
    send(large, 2 * id)
    send(small, 2 * id + 1)
  }
  expect(count('find')).toBe(200)
  // Each takes 50 ms, of which 25 may be used, beside the 200 ms at the begin.
  expect(count('insert')).toBe(8)
  expect([...leftOut]).toEqual([[reasons.late, 192]])
  wait(10_000_000)
  send(large, 1000)
  expect(count('insert')).toBe(9)
})

test('large messages that are read quickly are all read', () => {
  const { send, count, leftOut } = talk(100)
  for (let id = 0; id < 500; id++) send(large, id)
  expect([count('insert'), leftOut.size]).toEqual([500, 0])
})
