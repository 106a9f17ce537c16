import { addressesPage } from './addresses-page.ts'
import { checksPage } from './checks-page.ts'
import { columnsPage } from './columns-page.ts'
import { commandsPage } from './commands-page.ts'
import { distributionsPage } from './distributions-page.ts'
import { exitCodesPage } from './exit-codes-page.ts'
import { faultsPage } from './faults-page.ts'
import { functionsPage } from './functions-page.ts'
import { generatorsPage } from './generators-page.ts'
import { paragraphs, table } from './markdown.ts'
import { operationsPage } from './operations-page.ts'
import { type Page, type ReadText } from './page.ts'
import { resultPage } from './result-page.ts'
import { specPage } from './spec-page.ts'

/** A new page is one file, and one word here. */
export const pages: readonly Page[] = [
  specPage,
  operationsPage,
  faultsPage,
  generatorsPage,
  distributionsPage,
  functionsPage,
  columnsPage,
  addressesPage,
  checksPage,
  commandsPage,
  exitCodesPage,
  resultPage,
]

const indexPage: Page = {
  file: 'README.md',
  title: 'Reference',
  summary: 'The list of pages.',
  render: () =>
    paragraphs(
      'What mongo-perf knows, word for word. To get started, read the [README](../README.md).',
      table(
        ['Page', 'What it holds'],
        pages.map(({ file, title, summary }) => [`[${title}](${file})`, summary]),
      ),
      'Why mongo-perf is built as it is, and at what cost: [decisions](adr/).',
    ),
}

const note = '<!-- Made by `npm run docs` from the descriptions in the source. Changes here are lost. -->'

/** Every page of `docs/`: the name of its file, and its text. */
export const renderPages = (read: ReadText): ReadonlyMap<string, string> =>
  new Map(
    [indexPage, ...pages].map(({ file, title, render }) => [file, `${paragraphs(note, `# ${title}`, render(read))}\n`]),
  )
