import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

/** An opened page, and what it did that it must not do. */
export type OpenPage = AsyncDisposable & {
  readonly page: Page
  /** Errors in the console, exceptions, broken rules of the content security policy, and requests for anything else. */
  readonly mistakes: readonly string[]
}

/** Opens HTML as a file, as readers of a mail do. */
export async function openPage(browser: Browser, html: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-page-'))
  const file = path.join(folder, 'report.html')
  await writeFile(file, html)
  const address = pathToFileURL(file).href
  const context = await browser.newContext({ acceptDownloads: true, ...options })
  const page = await context.newPage()
  const mistakes: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') mistakes.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => void mistakes.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (url.split('#')[0] !== address && !/^(?:data|blob):/.test(url)) mistakes.push(`request: ${url}`)
  })
  page.on('dialog', (dialog) => {
    mistakes.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(address)
  return {
    page,
    mistakes,
    async [Symbol.asyncDispose]() {
      await context.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Scrolls through the page, so that everything is drawn that is drawn when it is seen. After it, nothing moves.
 * The page itself waits: its security policy forbids the code that `waitForFunction` would evaluate in it again and again.
 */
export async function seeAll(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
    const until = async (selector, isReady) => {
      while (![...document.querySelectorAll(selector)].every(isReady)) await frame()
    }
    await until('[data-explore]', (part) => part.lastElementChild.tagName !== 'NOSCRIPT')
    for (let y = 0; y < document.documentElement.scrollHeight; y += 600) {
      scrollTo(0, y)
      // What comes into sight is reported once per frame, and a page grows while it is drawn.
      await frame()
      await frame()
    }
    await until('canvas', (canvas) => canvas.width > 0 && canvas.height > 0)
  })()`)
}
