import { type DataFile } from '../html/page-data.ts'
import { button, element } from './element.ts'

const types = { json: 'application/json', csv: 'text/csv' } as const

/** Buttons that save the files of a result. */
export function showDownloads(place: HTMLElement, files: readonly DataFile[]): void {
  const items = files.map((file) =>
    element(
      'li',
      {},
      button(`Save ${file.name}`, () => save(file)),
      file.leftOut === '' ? '' : ` ${file.leftOut}; the result.json of the run has them`,
    ),
  )
  place.append(element('ul', { class: 'files' }, ...items))
}

function save({ name, content }: DataFile): void {
  const text = content.kind === 'json' ? `${JSON.stringify(content.value)}\n` : content.text
  const url = URL.createObjectURL(new Blob([text], { type: types[content.kind] }))
  const link = element('a', { href: url, download: name })
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
