import { sectionKeys } from '../blocks/section-keys.ts'
import { tableOfCells } from '../markdown/table.ts'
import { placeOfSetting } from '../prose/environment.ts'
import { settingsHeader } from '../tables/table.ts'
import type { Layout } from './layout.ts'
import { blockText, sharedSettingsBlock } from './markers.ts'
import { type Block, type Document, blocksIn, findBlock, isEdited, isKept, replaceBlocks } from './parse-document.ts'

/** A setting of a section: its name and its value, as Markdown. */
type Setting = readonly [name: string, value: string]

/** The settings in a block, and the lines around them. */
type Settings = {
  readonly before: readonly string[]
  readonly own: readonly Setting[]
  /** Whether its other settings stand at the beginning of the document. */
  readonly isPart: boolean
  readonly after: readonly string[]
}

/**
 * A document whose sections have what they share in the block for it at the beginning, if there is one. Sections that were not
 * updated have it from there, new ones are whole. The settings of an article stand in one line.
 */
export function withSharedSettings(document: Document, layout: Layout): Document {
  const { lineEnd } = document
  const block = findBlock(document, sharedSettingsBlock)
  if (block === undefined && layout === 'full') return document
  const before = block === undefined ? [] : (settingsIn(block)?.own ?? [])
  const sections = new Map(
    blocksIn(document).flatMap((one) => {
      const isFilled = one.name.endsWith(`/${sectionKeys.environment}`) && !isKept(one)
      const settings = isFilled ? settingsIn(one) : null
      return settings === null ? [] : [[one, block === undefined ? settings : whole(settings, before)] as const]
    }),
  )
  const shared = block === undefined ? [] : inOrder(findShared([...sections.values()], layout))
  return replaceBlocks(document, (one) => {
    if (one === block)
      return blockText(one.name, one.attributes, shared.length === 0 ? '' : renderTable(shared), lineEnd)
    const settings = sections.get(one)
    if (settings === undefined) return null
    const left = block === undefined ? settings : without(settings, shared)
    const text = (layout === 'article' ? asLine : asTable)(left).join('\n')
    return blockText(one.name, one.attributes, text, lineEnd, isEdited(one))
  })
}

/** Settings with those that stood at the beginning of the document. */
const whole = ({ own, isPart, ...around }: Settings, shared: readonly Setting[]): Settings => {
  const others = isPart ? shared.filter(([name]) => own.every(([other]) => other !== name)) : []
  return { ...around, own: [...others, ...own], isPart: false }
}

/** A setting that was shared until now returns to its place in its section. */
const without = ({ own, ...around }: Settings, shared: readonly Setting[]): Settings => ({
  ...around,
  own: inOrder(own.filter((one) => !shared.some((other) => isSame(one, other)))),
  isPart: shared.length > 0,
})

const inOrder = (settings: readonly Setting[]): readonly Setting[] =>
  settings.toSorted(([a], [b]) => placeOfSetting(a) - placeOfSetting(b))

const isSame = (a: Setting, b: Setting): boolean => a.join('|') === b.join('|')

/**
 * The settings that all sections have. In an article, those that most of them have, if the others have another value. A single
 * section of a full report keeps its own.
 */
function findShared(sections: readonly Settings[], layout: Layout): readonly Setting[] {
  if (sections.length === 1 && layout === 'full') return []
  const all = sections.map(({ own }) => own)
  const distinct = all.flat().filter((one, index, every) => every.findIndex((other) => isSame(one, other)) === index)
  return distinct.filter((one) => {
    const count = all.filter((own) => own.some((other) => isSame(one, other))).length
    const isNamed = all.every((own) => own.some(([name]) => name === one[0]))
    return count === all.length || (layout === 'article' && isNamed && 2 * count > all.length)
  })
}

/** Below what is left of a table whose other settings stand at the beginning of the document. */
const reference = 'Otherwise as at the beginning of this document.'

const renderTable = (settings: readonly Setting[]): string => tableOfCells([settingsHeader, ...settings])

const asTable = ({ before, own, isPart, after }: Settings): readonly string[] => [
  ...before,
  ...withGaps(own.length === 0 ? [] : [renderTable(own)], isPart ? [reference] : [], after),
]

const [differing, all, asBase] = ['Unlike the base instance: ', 'Setting: ', 'As the base instance.']

function asLine({ before, own, isPart, after }: Settings): readonly string[] {
  const text = own.map(([name, value]) => `**${name}** ${value}`).join('; ')
  const line = own.length === 0 ? asBase : `${isPart ? differing : all}${text}.`
  return [...before, ...withGaps([line], after)]
}

const withGaps = (...texts: readonly (readonly string[])[]): readonly string[] =>
  texts.filter(({ length }) => length > 0).flatMap((lines, index) => (index === 0 ? lines : [''].concat(lines)))

const settingsInLine = new RegExp(`^(?:${differing}|${all})(.*)\\.$`)

/** Reads the settings of a block, from a table or a line, or from what stands for all of them. Null: it has neither. */
function settingsIn({ lines }: Block): Settings | null {
  const text = lines.map((line) => line.text)
  const inLine = text.findIndex((line) => line === asBase || settingsInLine.test(line))
  if (inLine >= 0) {
    const [line = ''] = text.slice(inLine)
    const after = afterGap(text.slice(inLine + 1))
    return { before: text.slice(0, inLine), own: readLine(line), isPart: !line.startsWith(all), after }
  }
  const header = text.findIndex((line) => String(cellsIn(line)) === String(settingsHeader))
  const start = header < 0 ? text.indexOf(reference) : header
  if (start < 0) return null
  const end = [...text, ''].findIndex((line, index) => index >= start && !line.startsWith('|'))
  const below = afterGap(text.slice(end))
  const isPart = below[0] === reference
  return {
    before: text.slice(0, start),
    own: text.slice(start + 2, end).flatMap(readRow),
    isPart,
    after: isPart ? afterGap(below.slice(1)) : below,
  }
}

const afterGap = (lines: readonly string[]): readonly string[] => (lines[0] === '' ? lines.slice(1) : lines)

const readLine = (line: string): readonly Setting[] =>
  (settingsInLine.exec(line)?.[1] ?? '').split(/; (?=\*\*)/).flatMap((one) => {
    const [, name, value] = /^\*\*(.*?)\*\* (.*)$/.exec(one) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })

function readRow(line: string): readonly Setting[] {
  const [name, value] = cellsIn(line)
  return name === undefined || value === undefined ? [] : [[name, value]]
}

/** The cells of a line of a table, with their escapes. */
const cellsIn = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())
