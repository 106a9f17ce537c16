import { expect, test } from 'vitest'
import { rerunOnSave, type WatchedFile } from '../../src/cli/actions/rerun-on-save.ts'
import { virtualTime } from '../fakes/virtual-time.ts'

type Write = { readonly afterMs: number; readonly text: string | undefined }

/** A file that is written so, and runs of 1 s each, of which it is said how they ended. */
async function watchWhile(writes: readonly Write[], { runMs = 1000, failsOn = '' } = {}) {
  const { clock, run } = virtualTime()
  const stop = new AbortController()
  const runs: string[] = []
  let text: string | undefined = 'first'
  let onEvent: (() => void) | undefined
  const file: WatchedFile = {
    listen(listener) {
      onEvent = listener
      return () => void (onEvent = undefined)
    },
    read: async () => text,
  }
  async function write(): Promise<void> {
    for (const { afterMs, text: next } of writes) {
      await clock.sleep(afterMs)
      text = next
      onEvent?.()
    }
    await clock.sleep(5000)
    stop.abort()
  }
  const watching = async (): Promise<void> => {
    const written = write()
    await rerunOnSave(
      async (signal) => {
        const ran = String(text)
        if (ran === failsOn) throw new Error('a bug')
        await clock.sleep(runMs, signal)
        runs.push(signal.aborted ? `${ran} ended early` : ran)
      },
      { file, clock, stop: stop.signal },
    )
    await written
  }
  await run(watching)
  return { runs, isListening: onEvent !== undefined }
}

test('it runs at once, and after each save, and stops listening in the end', async () => {
  const saves = [
    { afterMs: 2000, text: 'second' },
    { afterMs: 2000, text: 'third' },
  ]
  expect(await watchWhile(saves)).toEqual({ runs: ['first', 'second', 'third'], isListening: false })
})

test('a save in several writes is one', async () => {
  const parts = [
    { afterMs: 2000, text: '' },
    { afterMs: 30, text: 'sec' },
    { afterMs: 30, text: 'second' },
  ]
  expect((await watchWhile(parts)).runs).toEqual(['first', 'second'])
})

test('a file that is not there for a moment, as while an editor renames another to it, is waited for', async () => {
  const renamed = [
    { afterMs: 2000, text: undefined },
    { afterMs: 500, text: 'second' },
  ]
  expect((await watchWhile(renamed)).runs).toEqual(['first', 'second'])
})

test('a save that changes nothing runs nothing', async () => {
  expect((await watchWhile([{ afterMs: 2000, text: 'first' }])).runs).toEqual(['first'])
})

test('a save during a run ends it and begins anew, however many there are', async () => {
  const saves = [
    { afterMs: 300, text: 'second' },
    { afterMs: 400, text: 'third' },
  ]
  expect((await watchWhile(saves)).runs).toEqual(['first ended early', 'second ended early', 'third'])
})

test('the end of watching ends the run under way', async () => {
  expect((await watchWhile([], { runMs: 60_000 })).runs).toEqual(['first ended early'])
})

test('what a run throws ends watching', async () => {
  await expect(watchWhile([{ afterMs: 2000, text: 'second' }], { failsOn: 'second' })).rejects.toThrow('a bug')
})
