import { sectionKeys } from '../blocks/section-keys.ts'
import { tableOfCells } from '../markdown/table.ts'
import { placeOfSetting } from '../prose/environment.ts'
import { settingsHeader } from '../tables/settings.ts'
import { type Layout } from './layout.ts'
import { type Block, blockText, isKept, sharedSettingsBlock } from './markers.ts'
import { isEdited, removeLineEnd, type ParsedDocument, withBlocks } from './parse-document.ts'

/** A line of a table of settings: its name and its value, as Markdown. */
type Setting = readonly [name: string, value: string]

/** The place of the table of settings in a block, and the text around it. */
type Settings = {
  readonly before: readonly string[]
  readonly own: readonly Setting[]
  readonly after: readonly string[]
}

/** Below what is left of a table whose other settings stand at the beginning of the document. */
const reference = 'Otherwise as at the beginning of this document.'

/**
 * The sections of a document as they are without a block of shared settings: each with all of its own.
 * To be called before sections are replaced, because new ones have all their settings.
 */
export function withoutSharedSettings(document: ParsedDocument, lineEnd: string): string {
  const block = sharedBlock(document)
  if (block === undefined) return document.lines.join('')
  const shared = settingsIn(document, block)?.own ?? []
  return withSettings(document, lineEnd, ({ before, own, after }) =>
    after[0] === reference
      ? {
          before,
          own: [...shared.filter(([name]) => own.every(([other]) => other !== name)), ...own],
          after: after.slice(2),
        }
      : { before, own, after },
  )
}

/** Moves the settings that all sections share to their block at the beginning, if the document has one. Those of an article stand in one line. */
export function withSharedSettings(document: ParsedDocument, lineEnd: string, layout: Layout = 'full'): string {
  const block = sharedBlock(document)
  if (block === undefined)
    return layout === 'full' ? document.lines.join('') : withSettings(document, lineEnd, (own) => own, { layout })
  const all = settingsBlocks(document).map(([, { own }]) => own)
  const shared = all.length === 1 && layout === 'full' ? [] : inOrder(findShared(all, layout))
  const filled = blockText(
    block.name,
    block.attributes,
    shared.length === 0 ? '' : renderSettingsTable(shared),
    lineEnd,
  )
  return withSettings(
    document,
    lineEnd,
    ({ before, own, after }) => ({
      before,
      own: inOrder(own.filter((one) => !shared.some((other) => isSame(one, other)))),
      after: shared.length === 0 ? after : after.length === 0 ? [reference] : [reference, '', ...after],
    }),
    { layout, others: [{ block, text: filled }] },
  )
}

/** A setting that was shared until now returns to its sections without its place in them. */
const inOrder = (settings: readonly Setting[]): readonly Setting[] =>
  settings.toSorted(([a], [b]) => placeOfSetting(a) - placeOfSetting(b))

const sharedBlock = ({ blocks }: ParsedDocument): Block | undefined =>
  blocks.find(({ name }) => name === sharedSettingsBlock)

const isSame = (a: Setting, b: Setting): boolean => a.join('|') === b.join('|')

/** The settings that all sections have. In an article, those that most of them have, if the others have another value. */
function findShared(all: readonly (readonly Setting[])[], layout: Layout): readonly Setting[] {
  const distinct = all.flat().filter((one, index, every) => every.findIndex((other) => isSame(one, other)) === index)
  return distinct.filter((one) => {
    const count = all.filter((own) => own.some((other) => isSame(one, other))).length
    const isNamed = all.every((own) => own.some(([name]) => name === one[0]))
    return count === all.length || (layout === 'article' && isNamed && 2 * count > all.length)
  })
}

const renderSettingsTable = (settings: readonly Setting[]): string => tableOfCells([settingsHeader, ...settings])

function settingsBlocks(document: ParsedDocument): readonly (readonly [Block, Settings])[] {
  return document.blocks.flatMap((block) => {
    const isFilled = block.name.endsWith(`/${sectionKeys.environment}`) && !isKept(block)
    const found = isFilled ? settingsIn(document, block) : null
    return found === null ? [] : [[block, found] as const]
  })
}

function withSettings(
  document: ParsedDocument,
  lineEnd: string,
  change: (settings: Settings) => Settings,
  {
    layout = 'full',
    others = [],
  }: { readonly layout?: Layout; readonly others?: Parameters<typeof withBlocks>[1] } = {},
): string {
  const changed = settingsBlocks(document).map(([block, settings]) => {
    const text = (layout === 'article' ? settingsLine : settingsTable)(change(settings))
    const wasEdited = isEdited(document, block)
    return { block, text: blockText(block.name, block.attributes, text.join('\n'), lineEnd, wasEdited) }
  })
  return withBlocks(document, [...changed, ...others]).join('')
}

const settingsTable = ({ before, own, after }: Settings): readonly string[] => [
  ...before,
  ...(own.length === 0 ? [] : [renderSettingsTable(own), ...(after.length > 0 ? [''] : [])]),
  ...after,
]

const [differing, all] = ['Other than the base instance', 'Setting']
const settingsInLine = new RegExp(`^(?:${differing}|${all}): (.*)\\.$`)
const asBase = 'As the base instance.'

/** One line instead of the table and the line below it. */
function settingsLine({ before, own, after }: Settings): readonly string[] {
  const isPart = after[0] === reference
  const text = own.map(([name, value]) => `**${name}** ${value}`).join('; ')
  const line = own.length === 0 ? asBase : `${isPart ? differing : all}: ${text}.`
  return [...before, line, ...after.slice(isPart ? 1 : 0)]
}

/** The line as the table and the line below it. Null: it is not in the text. */
function parseSettingsLine(text: readonly string[]): Settings | null {
  const at = text.findIndex((line) => line === asBase || settingsInLine.test(line))
  const line = text[at]
  if (line === undefined) return null
  const [, listed = ''] = settingsInLine.exec(line) ?? []
  const own = listed.split(/; (?=\*\*)/).flatMap((one): readonly Setting[] => {
    const [, name, value] = /^\*\*(.*?)\*\* (.*)$/.exec(one) ?? []
    return name === undefined || value === undefined ? [] : [[name, value]]
  })
  return {
    before: text.slice(0, at),
    own,
    after: [...(line.startsWith(all) ? [] : [reference]), ...text.slice(at + 1)],
  }
}

/** Finds the settings of a block, in a table or a line, or the line that stands for all of them. Null: it has neither. */
function settingsIn({ lines }: ParsedDocument, { from, to }: Block): Settings | null {
  const text = lines.slice(from + 1, to).map(removeLineEnd)
  const inLine = parseSettingsLine(text)
  if (inLine !== null) return inLine
  const header = text.findIndex((line) => String(cellsIn(line)) === String(settingsHeader))
  const start = header < 0 ? text.indexOf(reference) : header
  if (start < 0) return null
  const rest = text.slice(start)
  const end = rest.findIndex((line) => !line.startsWith('|'))
  const table = end < 0 ? rest : rest.slice(0, end)
  return {
    before: text.slice(0, start),
    own: table.slice(2).flatMap((line) => settingIn(line)),
    after: rest.slice(table.length).slice(rest[table.length] === '' ? 1 : 0),
  }
}

function settingIn(line: string): readonly Setting[] {
  const [name, value] = cellsIn(line)
  return name === undefined || value === undefined ? [] : [[name, value]]
}

/** The cells of a line of a table, with their escapes. */
const cellsIn = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())
