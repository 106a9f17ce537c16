import { writeFileSync } from 'node:fs'
import { pageFiles } from './report-page.ts'

for (const [name, text] of Object.entries(await pageFiles()))
  writeFileSync(new URL(`../../fixtures/report-page/${name}`, import.meta.url), text)
