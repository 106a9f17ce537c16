import { type TextStyle } from '../../src/report/formats/text-blocks.ts'
import { formatTextReport } from '../../src/report/formats/text.ts'
import { renderReport } from '../../src/report/report.ts'
import { type Result } from '../../src/results/schema.ts'

const columns = 80
const fontSize = 14
const lineHeight = 20
const padding = 20
/** The width of a character in the fonts below: 0.6 or 0.602 em. */
const characterWidth = fontSize * 0.602
const barHeight = 34

const colors: Readonly<Record<TextStyle, string>> = {
  plain: '#d0d7de',
  title: '#ffffff',
  figure: '#79c0ff',
  good: '#56d364',
  bad: '#ff7b72',
  aside: '#8b949e',
  code: '#79c0ff',
}

/** Spaces that are kept: renderers join others. */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00A0')

/** Draws a terminal in which a command has printed the report of a result, as SVG: it is sharp at any size, and its text can be searched. */
export function drawTerminal(command: string, result: Result): string {
  const report = formatTextReport(result, renderReport(result), columns)
  const printed = report.flatMap(({ text, style }) => text.split('\n').map((line) => ({ text: line, style })))
  const lines = [{ text: `$ ${command}`, style: 'aside' } as const, { text: '', style: 'plain' } as const, ...printed]
  if (lines.at(-1)?.text === '') lines.pop()
  const width = Math.ceil(columns * characterWidth + 2 * padding)
  const height = barHeight + lines.length * lineHeight + padding
  const rows = lines.flatMap(({ text, style }, i) => {
    const y = barHeight + (i + 1) * lineHeight - 5
    const weight = style === 'title' || style === 'figure' ? ' font-weight="bold"' : ''
    return text === ''
      ? []
      : `<text x="${padding}" y="${y}" fill="${colors[style]}"${weight}>${escapeText(text)}</text>`
  })
  const lights = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, i) => `<circle cx="${padding + i * 20}" cy="18" r="6" fill="${fill}"/>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${command} in a terminal">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117" stroke="#30363d"/>`,
    ...lights,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}
