import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { livePage } from '../../src/cli/actions/live-page.ts'
import { readResult } from '../../src/results/files/results-file.ts'
import { type LiveHappening, type LiveSecond } from '../../src/run/live/live-events.ts'
import { startLiveServer } from '../../src/run/live/live-server.ts'
import { readText } from '../texts/golden.ts'
import { chromiumPath, startChromium } from './chromium.ts'

const row = { label: 'one <b>row</b>', number: 2, of: 3 }

const second = (number: number, ok: number): LiveSecond => ({
  kind: 'second',
  row,
  phase: 'mix',
  pass: 'measured',
  second: number,
  lengthSeconds: 1,
  ok,
  failed: 0,
  unknown: 0,
  latency: { p50Ms: 1.5, p99Ms: 7, maxMs: 20 },
  operations: [],
  workers: 4,
  inFlight: 4,
  openLoop: null,
  servers: [
    { member: 'member0', role: 'primary', cpuPercent: 87, cacheBytes: 64, cacheMaxBytes: 256, cacheDirtyBytes: 1 },
  ],
})

test.skipIf(chromiumPath === undefined)(
  'a live page shows the newest second, and takes in the report when a row has ended',
  async () => {
    const result = await readResult('fixtures/results/quickstart/result.json')
    const server = await startLiveServer({ port: 0, clock: { sleep: async (ms: number) => void (await sleep(ms)) } })
    const publish = (happening: LiveHappening): void =>
      void server.publish({ time: '2026-11-23T12:00:00.000Z', ...happening })
    const browser = await startChromium()
    try {
      server.show(livePage({ ...result, variants: [], status: 'running' }))
      const page = await browser.newPage()
      const mistakes: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') mistakes.push(message.text())
      })
      page.on('pageerror', ({ message }) => void mistakes.push(message))
      await page.goto(server.url)
      publish({ kind: 'phaseBegins', row, phase: 'mix', pass: 'measured', load: 'closed', workers: 4 })
      publish(second(0, 1000))
      publish(second(1, 4321))
      publish({ ...second(2, 9), lengthSeconds: 0.01 })
      const panel = page.locator('[data-live]')
      await panel.getByText('4321 ops/s').waitFor()
      await panel.getByText('Median latency').waitFor()
      expect(await panel.getByRole('status').textContent()).toSay('live-page-status', { row: 'one <b>row</b>' })
      expect(await panel.locator('dd').allTextContents()).toEqual(expect.arrayContaining(['87 % of a core', '25 %']))
      expect(await panel.locator('canvas').count()).toBe(4)
      expect(await page.locator('table', { hasText: 'findOne' }).count()).toBe(0)
      const contents = page.getByRole('navigation', { name: 'Contents' }).getByRole('link')
      const before = await contents.count()
      await page.locator('summary', { hasText: 'The spec with' }).click()

      server.show(livePage(result))
      publish({ kind: 'row', row, status: 'done', seconds: 2 })
      await page.locator('table', { hasText: 'findOne' }).first().waitFor()
      expect(await contents.count()).toBeGreaterThan(before)
      await page.locator('details[open]', { hasText: 'The spec with' }).waitFor()
      const response = { p50Ms: 250, p99Ms: 900, maxMs: 950 }
      publish({ kind: 'phaseBegins', row, phase: 'queue', pass: 'measured', load: 'open', workers: 4 })
      publish({ ...second(0, 77), openLoop: { dropped: 0, late: 1, response } })
      await panel.getByText('77 ops/s').waitFor()
      expect((await panel.locator('dl').innerText()).split(/\n+/)).toSay('live-page-response-times')
      await panel.getByText(readText('live-page-response-title')).waitFor()
      publish({ kind: 'specEnds', status: 'done' })
      publish({ kind: 'end' })
      await panel.getByText(readText('live-page-ended', { end: 'done' })).waitFor()
      expect(mistakes).toEqual([])
    } finally {
      await browser.close()
      await server.close()
    }
  },
)
