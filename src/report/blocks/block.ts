import { type TrustLevel } from '../../results/warnings/weights.ts'
import { type ReportChart } from '../charts/report-chart.ts'
import { type Table } from '../tables/table.ts'

/** A report as a tree, independent of its format. All texts but `prose` are plain: each renderer escapes them in its own way. */
export type ReportTree = {
  /** Name of the spec. */
  readonly name: string
  readonly title: string
  readonly sections: readonly Section[]
}

/** A part of a report, with its own markers in a document. */
export type Section = {
  /** Lower-case letters, digits and hyphens; unique in a report. */
  readonly key: string
  /** Null: no heading. */
  readonly title: string | null
  /** Never empty. */
  readonly blocks: readonly Block[]
}

/** Part of a section. */
export type Block =
  /** Markdown that people wrote in a spec, with its figures filled in. Not safe yet: it may hold HTML and any link. */
  | { readonly kind: 'prose'; readonly markdown: string }
  | { readonly kind: 'paragraph'; readonly text: string; readonly emphasis: Emphasis }
  /** Limit on the whole report. The label begins the text, and stands out. */
  | { readonly kind: 'warning'; readonly label: string | null; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly table: Table }
  | TrustBlock
  | { readonly kind: 'chart'; readonly chart: ReportChart }
  /** Lines of a shell, as they are: by default of the system's, "js" for MongoDB's. */
  | { readonly kind: 'code'; readonly text: string; readonly language?: 'js' }
  /** Shown when the reader asks for it. */
  | { readonly kind: 'folded'; readonly summary: string; readonly blocks: readonly Block[] }

/** How each kind of block is shown in one format. */
export type BlockRenderers<Shown, Rest extends readonly unknown[] = []> = {
  readonly [Kind in Block['kind']]: (block: Extract<Block, { kind: Kind }>, ...rest: Rest) => Shown
}

export const renderBlock = <Shown, Rest extends readonly unknown[]>(
  renderers: BlockRenderers<Shown, Rest>,
  block: Block,
  ...rest: Rest
): Shown => (renderers[block.kind] as (block: Block, ...rest: Rest) => Shown)(block, ...rest)

/** How a paragraph stands out: `strong` is the main statement, `aside` is a note in small print. */
export type Emphasis = 'none' | 'strong' | 'aside'

/** How far the rows of a report can be believed, and the warnings about them. */
export type TrustBlock = {
  readonly kind: 'trust'
  /** "Trust in 4 rows: 3 comparable, 1 lower bound; 2 remarks" */
  readonly summary: string
  /** Level of the worst row: warnings about the minority of its runs do not set it. */
  readonly level: TrustLevel
  /** The worst first. */
  readonly warnings: readonly TrustWarning[]
}

/** One kind of warning about rows. */
export type TrustWarning = {
  /** Trust that it leaves in its rows; "comparable": it is a remark. */
  readonly level: TrustLevel
  /** "idle workers" */
  readonly name: string
  /** "rows 1, 4; 5 of 6 runs" */
  readonly where: string
  readonly message: string
  /** Advice on what to do about it. Empty: nothing. */
  readonly advice: string
  /** Warnings that it explains: the same rows have them because of it. */
  readonly effects: readonly TrustWarning[]
}

/** A paragraph of plain text. Default: it does not stand out. */
export const paragraph = (text: string, emphasis: Emphasis = 'none'): Block => ({ kind: 'paragraph', text, emphasis })

/** A list, or nothing if it has no items. */
export const createListBlocks = (items: readonly string[]): readonly Block[] =>
  items.length === 0 ? [] : [{ kind: 'list', items }]

export const tableBlock = (table: Table): Block => ({ kind: 'table', table })
