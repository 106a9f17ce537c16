import { checksPage } from './checks-page.ts'
import { columnPages } from './columns-page.ts'
import { commandsPage } from './commands-page.ts'
import { faultsPage } from './faults-page.ts'
import { generatorsPage } from './generators-page.ts'
import { paragraphs, table } from './markdown.ts'
import { operationPages } from './operations-page.ts'
import { type Page, type ReadText } from './page.ts'
import { resultPage } from './result-page.ts'
import { specPages } from './spec-page.ts'

/** The pages of `docs/`. To add a page, write one file and list it here. */
export const pages: readonly Page[] = [
  ...specPages,
  ...operationPages,
  faultsPage,
  generatorsPage,
  ...columnPages,
  checksPage,
  commandsPage,
  resultPage,
]

/** A page that is written by hand. Parts of it may be generated. */
type PageByHand = Pick<Page, 'file' | 'title' | 'summary'>

const page = (file: string, title: string, summary: string): PageByHand => ({ file, title, summary })

const tutorial = [page('tutorial.md', 'From a collection to a verdict', 'Is your index worth its cost? 15 minutes.')]

const howTo = [
  page('recipes.md', 'Recipes', 'One question, one command, and what it shows.'),
  page('writing-specs.md', 'Write a spec', 'Data, values, variants, load, thresholds.'),
  page('vs-code.md', 'In VS Code', 'Completion, descriptions, checks, tasks and snippets.'),
  page('own-query.md', 'Your own query', 'What your query does today, and what an index would gain and cost.'),
  page('own-data.md', 'Measure your own data', 'A spec made from your collection, or from a profile.'),
  page(
    'own-server.md',
    'Measure your own server',
    'URI, roles, TLS, Atlas, FerretDB; what it does to the server; limits and distance.',
  ),
  page('comparing.md', 'Compare two things', 'Settings, drivers, servers, results: with a verdict.'),
  page('baselines.md', 'Watch performance over time', 'Baselines to compare with, and a history.'),
  page('command-line.md', 'Set up the command line', 'Shell completion, project defaults, and JSON for programs.'),
  page('ci.md', 'In CI', 'Exit codes, job summaries, comments on pull requests.'),
  page('test-suites.md', 'In a test suite', 'Measure functions in Vitest, Jest or node:test.'),
  page('library.md', 'Run from a program', '`run(spec)`, with your own functions, columns and sinks.'),
  page(
    'slo.md',
    'Response times and limits (SLO)',
    'The highest rate within a limit; thresholds, and how to guard them.',
  ),
  page('sizing.md', 'Size a server', 'Its maximum throughput, what breaks beyond it, the smallest cache, connections.'),
  page('watching-a-run.md', 'Watch a run', 'In a browser or terminal, with Prometheus, or as a stream of JSON.'),
  page('many-machines.md', 'Load from many machines', 'Threads, agents, what ends a run, security.'),
  page('agents-in-containers.md', 'Agents in containers', 'Docker, Compose, Kubernetes.'),
  page('failures.md', 'Failures and checks', 'What a lost primary costs, and whether writes survive.'),
  page(
    'record-and-replay.md',
    'Record and replay traffic',
    'Record what an application sends, and send it again to another server.',
  ),
  page(
    'advise.md',
    'Find the indexes that your traffic needs',
    'Which ones pay, counted and measured on a copy of your data.',
  ),
  page('sharding.md', 'Sharded clusters', 'Start one, or shard the data of one that runs.'),
  page(
    'documents.md',
    'Keep a report document up to date',
    'Result tables and charts in your own Markdown; published figures.',
  ),
  page('ycsb.md', 'Workloads of YCSB', 'Run its property files, and read its collections.'),
  page(
    'from-other-tools.md',
    'From another tool',
    'YCSB, genny, SimRunner, NoSQLBench, k6: their concepts, each with an example.',
  ),
  page(
    'adding.md',
    'Where to add something',
    'For contributors: which files a new operation, column or command needs.',
  ),
]

const explanation = [
  page('reading-a-report.md', 'How to read a report', 'Each part of a report, and what to look at first.'),
  page(
    'methodology.md',
    'How it measures',
    'Clock, warm-up, percentiles, trust, every warning, and what results do not show.',
  ),
  page('faq.md', 'Questions', 'How it compares with other tools, and other frequent questions.'),
  page('glossary.md', 'Glossary', 'What the words in reports and pages mean.'),
]

const lookUp = [
  page('shipped-specs.md', 'Shipped specs', 'The specs that run by name, and microbenchmarks.'),
  page('troubleshooting.md', 'Troubleshooting by message', 'What a message means, and what to do.'),
  page('platforms.md', 'Platforms', 'Linux, macOS, Windows, Node.js: what works where.'),
]

/** The pages of `docs/` that are written by hand. */
export const byHand: readonly PageByHand[] = [...tutorial, ...howTo, ...explanation, ...lookUp]

const list = (heading: string, listed: readonly PageByHand[]): string =>
  paragraphs(
    `## ${heading}`,
    table(
      ['Page', 'Content'],
      listed.map(({ file, title, summary }) => [`[${title}](${file})`, summary]),
    ),
  )

const indexPage: Page = {
  file: 'README.md',
  title: 'Documentation',
  summary: 'The list of pages.',
  render: () =>
    paragraphs(
      'To get started, read the [README](../README.md), then the tutorial.',
      list('Tutorial', tutorial),
      list('How to', howTo),
      list('Explanation', explanation),
      'Why mongo-perf is built as it is, and at what cost: [decisions](adr/). What it has measured: [PERFORMANCE.md](../PERFORMANCE.md).',
      list('Reference', [...pages, ...lookUp]),
    ),
}

const note = '<!-- Generated by `npm run docs` from the descriptions in the source. Do not edit. -->'

/** The text of every page of `docs/`, by file name. */
export const renderPages = (read: ReadText): ReadonlyMap<string, string> =>
  new Map(
    [indexPage, ...pages].map(({ file, title, render }) => [file, `${paragraphs(note, `# ${title}`, render(read))}\n`]),
  )
