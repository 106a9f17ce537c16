import { type PackedValues, unpackValues } from '../html/packed-values.ts'
import { type PageData } from '../html/page-data.ts'

/** The packed data of a result. */
export async function unpack(result: ParentNode): Promise<PageData> {
  const base64 = result.querySelector('script[data-packed]')?.textContent ?? ''
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return unpackValues(JSON.parse(await new Response(stream).text()) as PackedValues) as unknown as PageData
}
