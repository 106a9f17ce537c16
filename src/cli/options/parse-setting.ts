import { type Json } from '../../core/json.ts'

/** Parses "name=value": a value that is not JSON is a text. */
export function parseSetting(text: string): readonly [name: string, value: Json] {
  const cut = text.indexOf('=')
  const value = text.slice(cut + 1)
  try {
    return [text.slice(0, cut), JSON.parse(value) as Json]
  } catch {
    return [text.slice(0, cut), value]
  }
}
