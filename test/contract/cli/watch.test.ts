import { readFile, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchSpec } from '../../../src/cli/actions/watch.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { fakeCliContext } from '../../fakes/fake-cli-context.ts'
import { readText } from '../../texts/golden.ts'
import { workplace, type Workplace } from '../support/program.ts'
import { fewReads } from '../support/specs.ts'

let place: Workplace

beforeEach(async () => void (place = await workplace()))
afterEach(() => place[Symbol.asyncDispose]())

const spec = (seconds: number, changes: object = {}) =>
  fewReads({
    target: { kind: 'standalone', server: { cacheGB: 0.25 } },
    phases: [{ name: 'read', stopAfter: { seconds }, operations: [{ kind: 'findOne', filter: { _id: 1 } }] }],
    ...changes,
  })

/** Watches a spec; `says` resolves when a text has been printed so many times. */
async function startWatching(first: ReturnType<typeof spec>) {
  const file = await place.spec(first)
  const stop = new AbortController()
  let onEvent: (() => void) | undefined
  const looks = new Set<() => void>()
  const cli = fakeCliContext({ env: place.env, stop: stop.signal })
  const printed = { status: '' }
  const context = {
    ...cli,
    printStatus(text: string) {
      printed.status += text
      for (const look of looks) look()
    },
  }
  const says = (text: string, times: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (printed.status.split(text).length - 1 < times) return
        looks.delete(look)
        resolve()
      }
      looks.add(look)
      look()
    })
  const ended = watchSpec([file], {}, undefined, context, {
    watchFile: () => ({
      listen(listener) {
        onEvent = listener
        return () => void (onEvent = undefined)
      },
      read: () => readFile(file, 'utf8'),
    }),
    // No event comes while a file is written: there is nothing to wait for.
    clock: { ...systemClock, sleep: async () => undefined },
  })
  return {
    file,
    printed,
    reports: () => cli.output.stdout.split('\nTrust ').length - 1,
    says,
    /** Resolves when it has come to wait for so many saves. */
    waits: (times: number) => says(readText('watch-waits', { file }), times),
    async save(next: object) {
      await writeFile(file, JSON.stringify(next))
      onEvent?.()
    },
    async end() {
      stop.abort()
      await ended
    },
  }
}

test('a spec runs when it is saved, on the same server where its target did not change, and none is left', async () => {
  const watching = await startWatching(spec(0.2))
  await watching.waits(1)
  const [first] = place.servers()
  await watching.save(spec(0.3))
  await watching.waits(2)
  expect(place.servers()).toEqual([first])
  await watching.save(spec(0.3, { target: { kind: 'standalone', server: { cacheGB: 0.3 } } }))
  await watching.waits(3)
  expect(place.servers()).not.toEqual([first])
  expect(place.servers()).toHaveLength(1)
  await watching.end()
  expect(watching.reports()).toBe(3)
  expect(place.servers()).toEqual([])
})

test('an invalid spec shows its issues, and a save during a run ends that run', async () => {
  const watching = await startWatching(spec(0.2, { phases: [] }))
  await watching.waits(1)
  expect(watching.printed.status).toHaveLine('watch-phases-missing', { at: `${watching.file}:18:13` })
  await watching.save(spec(600, { profiles: { smoke: {} } }))
  await watching.says('documents loaded', 1)
  await watching.save(spec(0.2))
  await watching.waits(2)
  expect(watching.printed.status).toHaveLine('watch-begins-anew', { file: watching.file })
  await watching.end()
  expect(watching.reports()).toBe(1)
  expect(place.servers()).toEqual([])
})
