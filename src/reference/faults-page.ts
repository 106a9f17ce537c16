import { lasting } from '../faults/fault.ts'
import { faultKinds, faultSpec } from '../faults/index.ts'
import { meaningOfWords } from '../faults/server-words.ts'
import { type Json } from '../json.ts'
import { toSchema } from '../schema/editor-schema.ts'
import { printSpec } from '../schema/print-spec.ts'
import { type Field, fieldTable } from './fields.ts'
import { code, jsonBlock, linkTo, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'
import { createSections, renderSection, type Section } from './sections.ts'

export type FaultSections = {
  readonly shared: Section
  /** One for each kind, in the order of the kinds. */
  readonly own: readonly Section[]
  /** Objects inside of faults. */
  readonly nested: readonly Section[]
}

/** Fields that say when, described once. */
const sharedNames: ReadonlySet<string> = new Set(['name', ...Object.keys(lasting)])

const isShared = ({ name }: Field): boolean => sharedNames.has(name)

export function faultSections(): FaultSections {
  const nested = createSections({
    titleOf: (path) => path,
    elsewhere: (path) =>
      path === 'random.of' ? 'list of faults of this page without name and times, at least 1' : undefined,
  })
  const all = faultSpec.options.map((spec) => {
    const kind = String(spec.shape.kind.value)
    return { title: kind, intro: spec.description ?? '', fields: nested.fieldsOf(toSchema(spec), kind) }
  })
  const own = all.map((section) =>
    section.title === 'random' ? section : { ...section, fields: section.fields.filter((field) => !isShared(field)) },
  )
  const [first] = all
  return {
    shared: { title: 'Fields of every fault', intro: '', fields: (first?.fields ?? []).filter(isShared) },
    own,
    nested: nested.found(),
  }
}

function renderFaults(): string {
  const { shared, own, nested } = faultSections()
  return paragraphs(
    'Faults are done to the servers of a phase on purpose, at their times since the first measured call, and undone again: at their times, at the end of the phase, after a Ctrl-C, after an error. When the phase is over, mongo-perf waits until every set has one primary, all members are at work, and writes reach a majority. The result has planned and real times, the servers that were hit, who was primary when, and the rollback ids before and after.',
    table(
      ['Kind', 'What it does'],
      faultKinds.map(({ kind, summary }) => [linkTo(kind, code(kind)), summary]),
    ),
    `Servers are named by words: ${meaningOfWords}.`,
    'Servers that mongo-perf starts take all of them; a partition or a delay needs a replica set, and a step-down a set. Servers that it did not start are only ever made to step down, and only with `--allow-step-down` on the command line. When a set elects another primary depends on `electionTimeoutMs` of the target, by default 10 s. Where two faults overlap on a link, each undoes only what it did itself; a cut wins over a stall, and delays add up.',
    '## Fields of every fault',
    '`stepDown` has no `forSeconds`, for there is nothing to undo; `random` has times of its own.',
    fieldTable(shared.fields),
    ...own.map((section, i) => renderFault(section, faultKinds[i]?.example ?? {})),
    ...nested.map((section) => renderSection(section, '##')),
  )
}

const renderFault = ({ title, intro, fields }: Section, example: Json): string =>
  paragraphs(`## ${title}`, intro, jsonBlock(printSpec({ kind: title, ...(example as object) })), fieldTable(fields))

export const faultsPage: Page = {
  file: 'faults.md',
  title: 'Faults',
  summary: 'What can be done to the servers of a phase on purpose: kill, pause, partition and the others.',
  render: renderFaults,
}
