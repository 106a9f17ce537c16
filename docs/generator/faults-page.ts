import { type Json } from '../../src/core/json.ts'
import { selectorMeaning } from '../../src/servers/faults/choose-servers.ts'
import { lasting } from '../../src/servers/faults/fault.ts'
import { faultKinds, faultSpec } from '../../src/servers/faults/index.ts'
import { printSpec } from '../../src/spec/parse/print-spec.ts'
import { toSchema } from './editor/editor-schema.ts'
import { type Field, fieldTable } from './fields.ts'
import { code, jsonBlock, linkTo, paragraphs, prose, table } from './markdown.ts'
import { type Page } from './page.ts'
import { createSections, renderSection, type Section } from './sections.ts'

/** The sections of `docs/faults.md`. */
export type FaultSections = {
  readonly shared: Section
  /** One for each kind, in the order of the kinds. */
  readonly own: readonly Section[]
  /** Objects inside of faults. */
  readonly nested: readonly Section[]
}

/** Fields that most faults share, described once. */
const sharedNames: ReadonlySet<string> = new Set(['name', 'target', ...Object.keys(lasting)])

const isShared = ({ name }: Field): boolean => sharedNames.has(name)

/** The fields of every fault. */
export function faultSections(): FaultSections {
  const nested = createSections({
    titleOf: (path) => path,
    elsewhere: (path) =>
      path === 'random.of' ? 'list of faults on this page without name and times, at least 1' : undefined,
  })
  const all = faultSpec.options.map((spec) => {
    const kind = String(spec.shape.kind.value)
    const fields = nested.fieldsOf(toSchema(spec), kind).map(withLinkToSelectors)
    return { title: kind, intro: spec.description ?? '', fields }
  })
  const own = all.map((section) =>
    section.title === 'random' ? section : { ...section, fields: section.fields.filter((field) => !isShared(field)) },
  )
  const [first] = all
  return {
    shared: { title: 'Shared fields', intro: '', fields: (first?.fields ?? []).filter(isShared) },
    own,
    nested: nested.found(),
  }
}

const selectors = 'Selectors for servers'

/** Selectors are described once. */
const withLinkToSelectors = (field: Field): Field =>
  field.meaning.includes(selectorMeaning)
    ? { ...field, meaning: `Target servers: a ${linkTo(selectors, 'selector')} or a list of them.` }
    : field

function renderFaults(): string {
  const { shared, own, nested } = faultSections()
  return paragraphs(
    'To measure what a failure costs, inject faults into the servers of a phase.',
    prose(
      'Times count from the first measured operation. Faults are undone on schedule, and in any case at the end of the phase, after Ctrl-C or after an error. After the phase, mongo-perf waits until every set has one primary, all members work, and writes reach a majority. The result lists planned and actual times, affected servers, primaries, and the rollback ids before and after.',
    ),
    table(
      ['Kind', 'What it does'],
      faultKinds.map(({ kind, summary }) => [linkTo(kind, code(kind)), summary]),
    ),
    prose(
      'All faults work on servers that mongo-perf starts; partitions, delays and step-downs need a replica set, such as a shard of a cluster. On other servers, only step-downs are allowed, and only with `--allow-step-down` on the command line. The time until a set elects another primary depends on `electionTimeoutMs` of the target, by default 10 s. If two faults overlap on a link, each undoes only its own effect; a cut takes precedence over a stall, and delays add up.',
    ),
    `## ${selectors}`,
    prose(`A selector is ${selectorMeaning}.`),
    '## Shared fields',
    '`partition` and `delay` name links instead of a `target`. `stepDown` has no `forSeconds`, because there is nothing to undo; `random` has its own times.',
    fieldTable(shared.fields),
    ...own.map((section, i) => renderFault(section, faultKinds[i]?.example ?? {})),
    ...nested.map((section) => renderSection(section, '##')),
  )
}

const renderFault = ({ title, intro, fields }: Section, example: Json): string =>
  paragraphs(
    `## ${title}`,
    prose(intro),
    jsonBlock(printSpec({ kind: title, ...(example as object) })),
    fieldTable(fields),
  )

/** `docs/faults.md`. */
export const faultsPage: Page = {
  file: 'faults.md',
  title: 'Faults',
  summary: 'Failures to inject into the servers of a phase: kill, pause, partition and others.',
  render: renderFaults,
}
