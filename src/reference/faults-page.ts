import { faultKinds, faultSpec } from '../faults/index.ts'
import { meaningOfWords } from '../faults/server-words.ts'
import { toSchema } from '../spec/editor-schema.ts'
import { code, jsonBlock, linkTo, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'
import { createSections, renderSection, type Section } from './sections.ts'

const example = `"faults": [
  { "kind": "kill", "target": "primary", "atSeconds": 10, "forSeconds": 15 },
  { "kind": "partition", "groups": [["minority"], ["all", "client"]], "atSeconds": 40, "forSeconds": 15 }
]`

const soak = `"faults": [
  {
    "kind": "random", "atSeconds": 20, "everySeconds": 40, "forSeconds": { "min": 5, "max": 15 },
    "of": [{ "kind": "kill" }, { "kind": "pause", "target": "any" }, { "kind": "stepDown" }]
  }
]`

export type FaultSections = { readonly own: readonly Section[]; readonly nested: readonly Section[] }

/** Every kind with its fields, then the objects inside of them. */
export function faultSections(): FaultSections {
  const nested = createSections({
    titleOf: (path) => path,
    elsewhere: (path) =>
      path === 'random.of' ? 'list of faults of this page without their times, at least 1' : undefined,
  })
  const own = faultSpec.options.map((spec) => {
    const kind = String(spec.shape.kind.value)
    return { title: kind, intro: spec.description ?? '', fields: nested.fieldsOf(toSchema(spec), kind) }
  })
  return { own, nested: nested.found() }
}

function renderFaults(): string {
  const { own, nested } = faultSections()
  return paragraphs(
    'Faults are done to the servers of a phase on purpose, at their times since the first measured call, and undone again: at their times, at the end of the phase, after a Ctrl-C, after an error. When the phase is over, it is waited until every set has one primary, all members are at work and writes reach a majority. The result has planned and real times, the servers that were met, who was primary when, and the rollback ids before and after.',
    jsonBlock(example),
    table(
      ['Kind', 'What it does'],
      faultKinds.map(({ kind, summary }) => [linkTo(kind, code(kind)), summary]),
    ),
    `Servers are named by words: ${meaningOfWords}.`,
    'Servers that mongo-perf starts take all of them; a partition or a delay needs a replica set. Servers of others are only ever made to step down, and only with `--allow-step-down` on the command line. Elections take as long as `electionTimeoutMs` of the target says, by default 10 s.',
    'For a long run with faults by chance:',
    jsonBlock(soak),
    ...own.map((section) => renderSection(section, '##')),
    ...nested.map((section) => renderSection(section, '##')),
  )
}

export const faultsPage: Page = {
  file: 'faults.md',
  title: 'Faults',
  summary: 'What can be done to the servers of a phase on purpose: kill, pause, partition and the others.',
  render: renderFaults,
}
