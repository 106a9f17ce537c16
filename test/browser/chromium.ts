import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The browser that tests use: that of the variable, or the first on the PATH. Undefined: there is none. */
export const chromiumPath: string | undefined =
  process.env['MONGO_PERF_CHROMIUM'] ??
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find(isExecutable)

/** Whether tests may be skipped: not in CI, and not where a browser was named. */
export const maySkip = process.env['CI'] === undefined && process.env['MONGO_PERF_CHROMIUM'] === undefined

function isExecutable(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts the browser. Its own sandbox does not work for root. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath ?? '', args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
