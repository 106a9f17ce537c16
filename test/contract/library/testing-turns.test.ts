import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type RunningProgram, startProgram } from '../../../bench/start/program.ts'
import { takeTurn } from '../../../src/verdicts/testing/turn.ts'
import { readText } from '../../texts/golden.ts'

const built = (file: string): string => path.join(import.meta.dirname, '../../../build/src/verdicts/testing', file)

const started: RunningProgram[] = []

afterEach(() => started.splice(0).forEach(({ child }) => child.kill('SIGKILL')))

function runCode(code: string): RunningProgram {
  const program = startProgram(['--input-type=module', '--eval', code], import.meta.dirname, {})
  started.push(program)
  return program
}

const turnTaker = (name: string): string => `
  import { takeTurn } from ${JSON.stringify(built('turn.js'))}
  globalThis.turn = await takeTurn(() => console.error('waits'), ${JSON.stringify(name)})
  console.error('has it')
  setInterval(() => {}, 1000)
`

test('one process at a time has the turn, and one that is killed leaves it to the next', async () => {
  const name = `\0mongo-perf-test-${process.pid}`
  const first = runCode(turnTaker(name))
  await first.says('has it')
  const second = runCode(turnTaker(name))
  await second.says('waits')
  first.child.kill('SIGKILL')
  await expect(second.says('has it')).resolves.toContain('has it')
})

test('a file that a killed process left behind, where turns are files, holds no one up', async () => {
  const name = path.join(import.meta.dirname, `turn-${process.pid}`)
  const first = runCode(turnTaker(name))
  await first.says('has it')
  first.child.kill('SIGKILL')
  await first.ended
  const waits: string[] = []
  using turn = await takeTurn(() => waits.push('waits'), name)
  expect({ turn, waits }).toMatchObject({ waits: ['waits'] })
})

test('measurements in one process wait for each other too', async () => {
  const name = `\0mongo-perf-test-own-${process.pid}`
  const order: string[] = []
  const take = async (who: string): Promise<void> => {
    const turn = await takeTurn(() => order.push(`${who} waits`), name)
    order.push(`${who} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    order.push(`${who} ends`)
    turn[Symbol.dispose]()
  }
  await Promise.all(['one', 'other', 'third'].map(take))
  const [begun, ...after] = order.filter((entry) => !entry.endsWith('waits')).map((entry) => entry.split(' ')[1])
  expect([begun, ...after]).toEqual(['begins', 'ends', 'begins', 'ends', 'begins', 'ends'])
})

test('a measurement waits while another process measures, and says so', async () => {
  const turn = await takeTurn(() => {})
  const measuring = runCode(`
    import { measure } from ${JSON.stringify(built('../../entries/testing.js'))}
    const on = { on() {}, off() {}, db: () => ({ command: async () => ({}) }) }
    const measured = await measure(() => new Promise(setImmediate), { on, name: 'orders', seconds: 0.05, warmupSeconds: 0 })
    console.log(measured.rounds.length)
  `)
  await measuring.says(readText('measure-waits-for-turn', { name: 'orders' }))
  turn[Symbol.dispose]()
  expect(await measuring.ended).toMatchObject({ code: 0, stdout: '6\n' })
})
