/** An element of XML: its texts are those of its attributes, as JUnit has them. */
export type Element = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
}

const name = String.raw`[A-Za-z_][\w.-]*`
const token = new RegExp(
  String.raw`<(?<close>/?)(?<tag>${name})(?<attributes>(?:\s+${name}="[^"<]*")*)\s*(?<empty>/?)>|(?<text>[^<]+)`,
  'y',
)
const invalid = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function readText(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(text)) throw new Error(`A bare "&": ${text}`)
  return text.replaceAll(/&([^;]+);/g, (_, entity: string) => entities[entity] ?? '')
}

function readAttributes(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/([\w.-]+)="([^"]*)"/g)].map(
    ([, key = '', value = '']) => [key, readText(value)] as const,
  )
  const attributes = Object.fromEntries(pairs)
  if (Object.keys(attributes).length < pairs.length) throw new Error(`An attribute twice: ${text}`)
  return attributes
}

/** Parses the subset of XML 1.0 that reports need: elements, attributes and space, and nothing that is not well-formed. */
export function parseXml(xml: string): Element {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!xml.startsWith(declaration)) throw new Error('No declaration')
  if (invalid.test(xml)) throw new Error('A character that XML does not have')
  const root = { name: '', attributes: {}, children: [] as Element[] }
  const open: { name: string; attributes: object; children: Element[] }[] = [root]
  token.lastIndex = declaration.length
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const {
      close,
      tag = '',
      attributes = '',
      empty,
      text,
    } = (token.exec(xml)?.groups ?? {}) as Readonly<Record<string, string | undefined>>
    const parent = open.at(-1)
    if (text !== undefined) {
      if (text.trim() !== '') throw new Error(`A text at ${at}: ${text}`)
    } else if (tag === '' || parent === undefined)
      throw new Error(`Not well-formed at ${at}: ${xml.slice(at, at + 40)}`)
    else if (close === '/') {
      if (open.pop()?.name !== tag) throw new Error(`</${tag}> closes another element at ${at}`)
    } else {
      const element = { name: tag, attributes: readAttributes(attributes), children: [] }
      parent.children.push(element)
      if (empty === '') open.push(element)
    }
  }
  const [first, ...others] = root.children
  if (open.length !== 1 || first === undefined || others.length > 0) throw new Error('Not one complete element')
  return first
}
