import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as Service from 'vscode-json-languageservice'

// Its ES modules import one another without file extensions, which Node.js does not resolve.
const { getLanguageService, TextDocument } = createRequire(import.meta.url)(
  'vscode-json-languageservice',
) as typeof Service

const schema = JSON.parse(readFileSync('fixtures/spec.schema.json', 'utf8')) as Service.JSONSchema

/** What VS Code shows of a spec that is being written. */
export type Shown = {
  /** What it offers at the mark. */
  readonly offers: readonly string[]
  /** The description of each offer. */
  readonly described: ReadonlyMap<string, string>
  /** What each offer writes. */
  readonly writes: ReadonlyMap<string, string>
  /** What it shows over the mark. */
  readonly hover: string
  /** What it underlines, each with its reason. */
  readonly problems: readonly string[]
}

const service = getLanguageService({
  clientCapabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } },
})
service.configure({ validate: true, schemas: [{ uri: 'mongo-perf', fileMatch: ['*.mongo-perf.json'], schema }] })

/** Opens a spec in which `|` marks where the cursor is. */
export async function openSpec(marked: string): Promise<Shown> {
  const text = TextDocument.create('file:///a.mongo-perf.json', 'jsonc', 1, marked.replace('|', ''))
  const document = service.parseJSONDocument(text)
  const cursor = text.positionAt(marked.indexOf('|'))
  const [completions, hover, problems] = await Promise.all([
    service.doComplete(text, cursor, document),
    service.doHover(text, cursor, document),
    service.doValidation(text, document, { comments: 'ignore' }),
  ])
  const items = (completions?.items ?? []).toSorted((a, b) => compare(a.sortText ?? a.label, b.sortText ?? b.label))
  return {
    offers: items.map(({ label }) => label.replaceAll('"', '')),
    described: new Map(
      items.map(({ label, documentation = '' }) => [
        label.replaceAll('"', ''),
        typeof documentation === 'string' ? documentation : documentation.value,
      ]),
    ),
    writes: new Map(items.map(({ label, textEdit }) => [label.replaceAll('"', ''), textEdit?.newText ?? ''])),
    hover: [hover?.contents ?? []].flat().map(textOf).join('\n').replaceAll('\\', ''),
    problems: problems.map(({ range, message }) => `${text.getText(range)}: ${message}`),
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const textOf = (part: Service.MarkedString | { readonly value: string }): string =>
  typeof part === 'string' ? part : part.value
