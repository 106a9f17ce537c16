import { type Stream } from '../../core/random.ts'
import { type JsonText, quoted, spacedJson } from './json-text.ts'
import { randomText } from './random-text.ts'

const depth = 6

/** `deep_bson.json`, 1964 bytes: a balanced binary tree of 126 pairs with 8-character texts as leaves. */
export const deepText = (stream: Stream): string => spacedJson(tree(stream, depth))

function tree(stream: Stream, levels: number): JsonText {
  if (levels === 0) return quoted(randomText(stream, 8))
  return { left: tree(stream, levels - 1), right: tree(stream, levels - 1) }
}
