import { sectionKeys } from '../blocks/section-keys.ts'
import { tableOfCells } from '../markdown/table.ts'
import { placeOfSetting } from '../prose/environment.ts'
import { settingsHeader } from '../tables/settings.ts'
import { type Block, blockText, sharedSettingsBlock } from './markers.ts'
import { removeLineEnd, type ParsedDocument, withBlocks } from './parse-document.ts'

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
    after[0] === reference ? { before, own: [...shared, ...own], after: after.slice(2) } : { before, own, after },
  )
}

/** Moves the settings that all sections share to their block at the beginning, if the document has one. */
export function withSharedSettings(document: ParsedDocument, lineEnd: string): string {
  const block = sharedBlock(document)
  if (block === undefined) return document.lines.join('')
  const all = settingsBlocks(document).map(([, { own }]) => own)
  const [first = [], ...others] = all
  const shared =
    others.length === 0
      ? []
      : inOrder(first.filter((one) => others.every((own) => own.some((other) => isSame(one, other)))))
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
    [{ block, text: filled }],
  )
}

/** A setting that was shared until now returns to its sections without its place in them. */
const inOrder = (settings: readonly Setting[]): readonly Setting[] =>
  settings.toSorted(([a], [b]) => placeOfSetting(a) - placeOfSetting(b))

const sharedBlock = ({ blocks }: ParsedDocument): Block | undefined =>
  blocks.find(({ name }) => name === sharedSettingsBlock)

const isSame = (a: Setting, b: Setting): boolean => a.join('|') === b.join('|')

const renderSettingsTable = (settings: readonly Setting[]): string => tableOfCells([settingsHeader, ...settings])

function settingsBlocks(document: ParsedDocument): readonly (readonly [Block, Settings])[] {
  return document.blocks.flatMap((block) => {
    const found = block.name.endsWith(`/${sectionKeys.environment}`) ? settingsIn(document, block) : null
    return found === null ? [] : [[block, found] as const]
  })
}

function withSettings(
  document: ParsedDocument,
  lineEnd: string,
  change: (settings: Settings) => Settings,
  others: Parameters<typeof withBlocks>[1] = [],
): string {
  const changed = settingsBlocks(document).map(([block, settings]) => {
    const { before, own, after } = change(settings)
    const text = [
      ...before,
      ...(own.length === 0 ? [] : [renderSettingsTable(own), ...(after.length > 0 ? [''] : [])]),
      ...after,
    ]
    return { block, text: blockText(block.name, block.attributes, text.join('\n'), lineEnd) }
  })
  return withBlocks(document, [...changed, ...others]).join('')
}

/** Finds the table of settings of a block, or the line that stands for all of it. Null: it has neither. */
function settingsIn({ lines }: ParsedDocument, { from, to }: Block): Settings | null {
  const text = lines.slice(from + 1, to).map(removeLineEnd)
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
