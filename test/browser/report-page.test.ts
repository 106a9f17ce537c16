import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareResults } from '../../src/report/comparison/compare-results.ts'
import { comparisonHtml } from '../../src/report/html/comparison-html.ts'
import { resultsHtml } from '../../src/report/html/report-html.ts'
import { unpackResult } from '../../src/results/files/pack-result.ts'
import { readResult, validateResult } from '../../src/results/files/results-file.ts'
import { type Result } from '../../src/results/schema.ts'
import { readText } from '../texts/golden.ts'
import { chromiumPath, maySkip, startChromium } from './chromium.ts'
import { openPage, seeAll } from './open-page.ts'

test('a browser is there wherever these tests must not be skipped', () =>
  expect(
    chromiumPath !== undefined || maySkip,
    'no Chromium on the PATH: install it, or name it by MONGO_PERF_CHROMIUM',
  ).toBe(true))

const fixture = (name: string): Promise<Result> => readResult(`fixtures/${name}.json`)

const hostile = `<script>alert(1)</script><img src=x onerror="alert(2)">--></script>"'\`|`

/** A result whose names do not fit a phone. */
async function longNames(): Promise<Result> {
  const result = structuredClone(await fixture('results/index-of-orders/result'))
  Object.assign(result.spec, { title: 'orders'.repeat(20) })
  for (const { row, parameters } of result.variants)
    for (const parameter of Object.values(parameters))
      Object.assign(parameter, { label: `${row} ${'status_1_at_-1'.repeat(8)} and more` })
  return result
}

const pageOf = (result: Result): string => resultsHtml([result])

const comparisonOf = (a: Result, b = a): string => comparisonHtml({ a: [a], b: [b], comparison: compareResults(a, b) })

/** A result whose texts of people are markup. */
async function hostileResult(): Promise<Result> {
  const result = structuredClone(await fixture('invented-results/quickstart'))
  const { spec, variants, warnings } = result
  const description = `${hostile}\n\n![x](https://example.com/x.png) [y](javascript:alert(3))`
  Object.assign(spec, { thresholds: [], title: hostile, description })
  warnings.push({ code: 'other', message: hostile, advice: hostile })
  for (const variant of variants) {
    variant.label = hostile
    for (const { operations } of variant.phases) for (const operation of operations) operation.name += hostile
  }
  return result
}

describe.skipIf(chromiumPath === undefined)('a report in a browser', () => {
  let browser: Browser

  beforeAll(async () => void (browser = await startChromium()))
  afterAll(() => browser.close())

  const open = async (name: string, options?: BrowserContextOptions) =>
    await openPage(browser, resultsHtml([await fixture(name)]), options)

  /** Opens a page and scrolls to its end. */
  async function see(html: string, options?: BrowserContextOptions) {
    const opened = await openPage(browser, html, options)
    await seeAll(opened.page)
    return opened
  }

  test.each([
    'results/quickstart/result',
    'invented-results/failover',
    'invented-results/cache-misses',
    'results/performance-tables/queue/result',
  ])('%s is drawn without an error, and without any request', async (name) => {
    await using opened = await see(pageOf(await fixture(name)))
    expect(await opened.page.locator('canvas').count()).toBeGreaterThan(1)
    expect(opened.mistakes).toEqual([])
  })

  test('a header sorts its table upwards, downwards and not at all, by mouse and by keyboard', async () => {
    await using opened = await open('invented-results/quickstart')
    const table = tableOf(opened.page, 'Performance').first()
    const names = (): Promise<string[]> => table.locator('tbody th').allTextContents()
    const before = await names()
    const button = table.getByRole('button', { name: 'Operations', exact: true })
    await button.click()
    expect(await names()).toEqual(['lastOrders', 'insertOne', 'updateOne', 'findOne'])
    expect(await table.locator('th[aria-sort=ascending]').textContent()).toBe('Operations')
    await button.press('Enter')
    expect(await names()).toEqual(['findOne', 'updateOne', 'insertOne', 'lastOrders'])
    expect(await table.locator('th[aria-sort=descending]').count()).toBe(1)
    await button.press(' ')
    expect(await names()).toEqual(before)
  })

  test('a word above a long table leaves only the rows that have it', async () => {
    await using opened = await open('invented-results/quickstart')
    await opened.page.getByRole('searchbox').first().fill('driver')
    const shown = tableOf(opened.page, 'Settings').locator('tbody tr:visible')
    expect(await shown.locator('th').allTextContents()).toEqual(['Driver', 'Driver options'])
    expect(await opened.page.getByRole('status').first().textContent()).toMatch(/^2 of \d+ rows$/)
  })

  test('texts stand out enough in light and in dark, and the button changes the colours', async () => {
    await using opened = await open('invented-results/quickstart', { colorScheme: 'light' })
    const { page } = opened
    const light = await colourOf(page)
    expect(await weakestContrast(page)).toBeGreaterThanOrEqual(4.5)
    await page.getByRole('button', { name: 'Dark colours' }).click()
    expect(await colourOf(page)).not.toBe(light)
    expect(await weakestContrast(page)).toBeGreaterThanOrEqual(4.5)
    await page.getByRole('button', { name: 'Light colours' }).click()
    expect(await colourOf(page)).toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await colourOf(page)).toBe(light)
  })

  test('a page is dark where the system is', async () => {
    await using opened = await open('invented-results/quickstart', { colorScheme: 'dark' })
    expect(await colourOf(opened.page)).toBe('rgb(13, 17, 23)')
  })

  test('markup in texts of people is shown as text, and runs nothing', async () => {
    await using opened = await see(resultsHtml([await hostileResult()]))
    const { page } = opened
    expect(await page.locator('h1').textContent()).toBe(hostile)
    expect(await page.locator('.legend button').first().textContent()).toContain(hostile)
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
    expect(opened.mistakes).toEqual([])
  })

  test('what is saved is the result', async () => {
    const result = await fixture('invented-results/quickstart')
    await using opened = await openPage(browser, resultsHtml([result]))
    const [download] = await Promise.all([
      opened.page.waitForEvent('download'),
      opened.page.getByRole('button', { name: 'Save quickstart.json' }).click(),
    ])
    const saved = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, unknown>
    expect(validateResult('saved', unpackResult(saved))).toEqual(result)
  })

  test('what one panel is zoomed to, all panels show', async () => {
    await using opened = await see(pageOf(await fixture('invented-results/failover')))
    const { page } = opened
    const reading = page.locator('.readout')
    await page.getByRole('slider', { name: 'Read at' }).fill('200')
    expect(await reading.first().textContent()).toMatch(/^12 s · kill · /)
    await page.getByRole('slider', { name: 'Read at' }).fill('500')
    const texts = await reading.allTextContents()
    expect(texts.length).toBeGreaterThan(2)
    expect(new Set(texts.map((text) => text.split(' · ')[0]))).toEqual(new Set(['30 s']))
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.getByRole('slider', { name: 'Read at' }).fill('0')
    expect((await reading.first().textContent())?.split(' · ')[0]).toBe('15 s')
  })

  test.each([
    ['cache-misses', 'page-heat-map-of-operations'],
    ['failover', 'page-heat-map-of-percentiles'],
  ])('the heat map of %s says what its cells are', async (name, text) => {
    await using opened = await see(pageOf(await fixture(`invented-results/${name}`)))
    const captions = await opened.page.locator('.caption').allTextContents()
    expect(captions.filter((caption) => caption.length > 190)).toSay(text)
    expect(opened.mistakes).toEqual([])
  })

  test('the cells of a heat map are also a table, with every operation in it', async () => {
    const result = await fixture('invented-results/cache-misses')
    await using opened = await see(pageOf(result))
    const name = readText('heat-map-title', { operation: 'findOne' })
    await opened.page.getByText(name).click()
    const table = opened.page.getByRole('group', { name })
    // A page draws the table when the browser reports that it was opened, which is after the click.
    await table.waitFor()
    const counts = await table.locator('tbody td').allTextContents()
    const total = counts.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0)
    expect(total).toBe(result.variants[0]?.phases[0]?.operations[0]?.ok)
  })

  test('a line is switched off by its button, and the last one stays', async () => {
    await using opened = await open('invented-results/quickstart')
    const buttons = opened.page.locator('figure .legend').first().getByRole('button')
    for (const button of await buttons.all()) await button.click()
    const pressed = await Promise.all((await buttons.all()).map((button) => button.getAttribute('aria-pressed')))
    expect(pressed).toEqual(['false', 'false', 'false', 'true'])
  })

  test('several results are listed with what they found, and linked', async () => {
    const results = [await fixture('invented-results/quickstart'), await fixture('invented-results/failover')]
    await using opened = await see(resultsHtml(results))
    const { page } = opened
    await page.locator('table').first().getByRole('link', { name: 'What a lost primary costs' }).click()
    expect(page.url()).toMatch(/#.+/)
    expect(await page.locator('article').count()).toBe(2)
    expect(opened.mistakes).toEqual([])
  })

  test('A and B are beside each other, below their verdicts', async () => {
    const a = await fixture('results/performance-tables/insert-batch-size/result')
    const b = structuredClone(a)
    for (const { phases } of b.variants) for (const phase of phases) phase.wallSeconds *= 2
    await using opened = await see(comparisonOf(a, b))
    const { page } = opened
    const [left, right] = await page.evaluate<readonly { readonly x: number; readonly y: number }[]>(
      `[...document.querySelectorAll('article')].map((article) => article.getBoundingClientRect().toJSON())`,
    )
    expect(left?.y).toBe(right?.y)
    expect(left?.x).toBeLessThan(right?.x ?? 0)
    expect(await page.locator('#verdicts tbody :is(th, td)', { hasText: /worse$/ }).count()).toBeGreaterThan(0)
    expect(opened.mistakes).toEqual([])
  })

  test('the trust in a row stays in sight where its table is wider than the page', async () => {
    const viewport = { width: 700, height: 800 }
    await using opened = await open('invented-results/insert-batch-size', { viewport })
    const mark = opened.page.locator('.table .trust').first()
    await mark.evaluate('(mark) => mark.closest(".table").scrollTo(9999, 0)')
    expect(await mark.textContent()).toBe('≥lower bound (client 42 %): ')
    expect((await mark.boundingBox())?.x).toBeGreaterThan(0)
  })

  test('tables, texts and warnings are there without JavaScript', async () => {
    await using opened = await open('invented-results/quickstart', { javaScriptEnabled: false })
    const { page } = opened
    expect(await page.locator('table:visible').count()).toBeGreaterThan(1)
    expect(await page.locator('.overview').innerText()).toContain('ops/s')
    expect(await page.locator('noscript').first().innerText()).toSay('page-needs-javascript')
  })

  test.each([
    ['a page with faults', () => fixture('invented-results/failover'), pageOf],
    ['a page with two panels', () => fixture('results/quickstart/result'), pageOf],
    ['a page with long names', longNames, pageOf],
    ['a comparison', longNames, comparisonOf],
  ])('%s is not wider than a phone', async (_, given, toHtml) => {
    await using opened = await see(toHtml(await given()), { viewport: { width: 390, height: 800 } })
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  const pages = {
    'one result': async () => [await fixture('invented-results/failover')],
    'results of one spec': async () => Array<Result>(2).fill(await fixture('invented-results/quickstart')),
  }

  test.each([
    ['light', 'one result'],
    ['dark', 'one result'],
    ['light', 'results of one spec'],
  ] as const)('axe finds nothing in %s colours on a page of %s', async (colorScheme, count) => {
    await using opened = await see(resultsHtml(await pages[count]()), { colorScheme })
    const { page } = opened
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
    const found = await page.evaluate<readonly Finding[]>(
      `axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, at: nodes.map(({ target }) => target.join(' ')) })))`,
    )
    expect(found).toEqual([])
  })
})

const tableOf = (page: Page, caption: string) =>
  page.locator('table', { has: page.locator('caption', { hasText: caption }) })

type Finding = { readonly id: string; readonly impact: string; readonly at: readonly string[] }

const colourOf = (page: Page): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')

/** The lowest contrast between the colour of a text and the ground behind it. */
const weakestContrast = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number)
    const luminance = (colour) => {
      const [r, g, b] = channels(colour).map((value) => value / 255).map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const groundOf = (element) => {
      for (let at = element; at !== null; at = at.parentElement) {
        const colour = getComputedStyle(at).backgroundColor
        if (channels(colour)[3] !== 0) return colour
      }
      return 'rgb(255, 255, 255)'
    }
    const texts = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility() && [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '') && !['SCRIPT', 'STYLE', 'NOSCRIPT', 'OPTION'].includes(element.tagName))
    return Math.min(...texts.map((element) => {
      const [high, low] = [luminance(getComputedStyle(element).color), luminance(groundOf(element))].sort((a, b) => b - a)
      return (high + 0.05) / (low + 0.05)
    }))
  })()`)
