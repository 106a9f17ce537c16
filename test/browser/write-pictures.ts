import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type Page } from 'playwright-core'
import { livePage } from '../../src/cli/actions/live-page.ts'
import { groupDigits } from '../../src/core/quantities.ts'
import { renderedHtml } from '../../src/report/html/report-html.ts'
import { renderReport } from '../../src/report/report.ts'
import { readResult } from '../../src/results/files/results-file.ts'
import { type Result } from '../../src/results/schema.ts'
import { type LiveHappening } from '../../src/run/live/live-events.ts'
import { startLiveServer } from '../../src/run/live/live-server.ts'
import { startChromium } from './chromium.ts'
import { openPage, seeAll } from './open-page.ts'

/** `npm run pictures`: photographs `report.html` and the live page of the stored quickstart, for the README. */
const folder = new URL('../../fixtures/pictures/', import.meta.url)
const viewport = { width: 1280, height: 900 }
const themes = [
  { colorScheme: 'light', ending: '' },
  { colorScheme: 'dark', ending: '-dark' },
] as const

/** The seconds of the first row as its run published them; at the end the page shows all of them. */
function* replay({ variants: [variant] }: Result): Generator<LiveHappening> {
  const row = { label: '', number: 1, of: 1 }
  for (const { name: phase, operations, openLoop, workers, members } of variant?.phases ?? []) {
    yield { kind: 'phaseBegins', row, phase, pass: 'measured', load: 'open', workers }
    const seconds = operations[0]?.perSecond.ok.slice(0, -1) ?? []
    for (const second of seconds.keys()) {
      const sum = (counts: 'ok' | 'failed' | 'unknown'): number =>
        operations.reduce((total, { perSecond }) => total + (perSecond[counts][second] ?? 0), 0)
      const latency = {
        p50Ms: operations[0]?.perSecond.p50Ms[second] ?? 0,
        p99Ms: operations[0]?.perSecond.p99Ms[second] ?? 0,
        maxMs: operations[0]?.perSecond.maxMs[second] ?? 0,
      }
      const times = openLoop?.perSecond
      const response = {
        p50Ms: times?.responseP50Ms[second] ?? 0,
        p99Ms: times?.responseP99Ms[second] ?? 0,
        maxMs: times?.responseMaxMs[second] ?? 0,
      }
      const servers = members.map(({ member, role, perSecond }) => ({
        member,
        role,
        cpuPercent: (perSecond['processCpuUs']?.[second] ?? 0) / 10_000,
        cacheBytes: perSecond['cacheBytes']?.[second] ?? null,
        cacheMaxBytes: perSecond['cacheMaxBytes']?.[second] ?? null,
        cacheDirtyBytes: perSecond['cacheDirtyBytes']?.[second] ?? null,
      }))
      const counts = { ok: sum('ok'), failed: sum('failed'), unknown: sum('unknown') }
      // A result does not keep how many were in flight: about the rate times the time that each took.
      const inFlight = Math.round((counts.ok * latency.p50Ms) / 1000)
      const window = { second, lengthSeconds: 1, workers, inFlight }
      const loop = { dropped: 0, late: 0, response }
      const same = { row, phase, pass: 'measured', operations: [], openLoop: loop } as const
      yield { kind: 'second', ...same, ...counts, ...window, latency, servers }
    }
  }
}

const save = async (page: Page, name: string): Promise<void> =>
  await writeFile(new URL(name, folder), await page.screenshot())

async function takeReport(browser: Browser, result: Result): Promise<void> {
  const html = renderedHtml([{ result, report: renderReport(result) }])
  for (const { colorScheme, ending } of themes) {
    await using opened = await openPage(browser, html, { viewport, colorScheme })
    await seeAll(opened.page)
    await opened.page.evaluate('scrollTo(0, 0)')
    await save(opened.page, `report${ending}.png`)
  }
}

async function takeLivePage(browser: Browser, result: Result): Promise<void> {
  const server = await startLiveServer({ port: 0, clock: { sleep: async (ms) => void (await sleep(ms)) } })
  try {
    server.show(livePage({ ...result, variants: [], status: 'running' }))
    const happenings = [...replay(result)]
    for (const { colorScheme, ending } of themes) {
      const page = await browser.newPage({ viewport, colorScheme })
      await page.goto(server.url)
      for (const happening of happenings) server.publish({ time: result.startedAt, ...happening })
      const last = happenings.findLast(({ kind }) => kind === 'second')
      const shown = last?.kind === 'second' ? groupDigits(last.ok) : ''
      await page.locator('[data-live]').getByText(`${shown} ops/s`).waitFor()
      await save(page, `live${ending}.png`)
      await page.close()
    }
  } finally {
    await server.close()
  }
}

const result = await readResult('fixtures/results/quickstart/result.json')
const browser = await startChromium()
try {
  await takeReport(browser, result)
  await takeLivePage(browser, result)
} finally {
  await browser.close()
}
